//! The Paddlewheel benchmark workloads on the uwheel crate, one JSON line per run.

mod args;
mod gaps;
mod heap;
mod ingest;
mod memory;
mod ranges;
mod rng;
mod stats;
mod wheel;
mod whole;
mod windows;
mod workload;

use args::{Args, fail};

fn main() {
    let mut words = std::env::args().skip(1);
    let command = words.next().unwrap_or_default();
    let line = match command.as_str() {
        "ranges" => ranges::run(&Args::parse(words, &ranges::OPTIONS)),
        "whole" => whole::run(&Args::parse(words, &whole::OPTIONS)),
        "ingest" => ingest::run(&Args::parse(words, &ingest::OPTIONS)),
        "gaps" => gaps::run(&Args::parse(words, &gaps::OPTIONS)),
        "windows" => windows::run(&Args::parse(words, &windows::OPTIONS)),
        "memory" => memory::run(&Args::parse(words, &memory::OPTIONS)),
        _ => fail("usage: uwheel-peer ranges|whole|ingest|gaps|windows|memory [--option value]..."),
    };
    println!("{line}");
}
