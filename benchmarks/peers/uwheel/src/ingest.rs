use crate::args::Args;
use crate::stats::percentile;
use crate::wheel::Setup;
use crate::workload::{self, BEGIN_MS, BLOCK, DAY_SECONDS};
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::Instant;
use uwheel::aggregator::sum::U64SumAggregator;
use uwheel::{Entry, RwWheel};

pub const OPTIONS: [&str; 3] = ["days", "disorder", "retention"];

const WARM_UPS: usize = 2;
const RUNS: usize = 7;

pub fn run(args: &Args) -> Value {
    let days: u64 = args.get("days", 1);
    let disorder = args.get("disorder", 0);
    let retention = args.word("retention", &["keep", "drop"]);
    let setup = Setup {
        variant: "default",
        keep: retention == "keep",
        chunk: 0,
        begin_ms: BEGIN_MS,
    };

    let values = workload::values((days * DAY_SECONDS) as usize);
    let want: u64 = values.iter().sum();
    let arrivals = workload::arrivals(&values, disorder);
    let events = arrivals.len() as f64;

    let mut checksum = 0;
    let mut nanos = Vec::new();
    for turn in 0..WARM_UPS + RUNS {
        let mut wheel = setup.empty::<U64SumAggregator>();
        let before = Instant::now();
        fill(&mut wheel, black_box(&arrivals));
        let took = before.elapsed().as_nanos() as u64;
        checksum = wheel.read().landmark().unwrap_or(0);
        if turn >= WARM_UPS {
            nanos.push(took);
        }
    }
    nanos.sort_unstable();
    let per_event = |total: u64| (total as f64 / events * 100.0).round() / 100.0;
    json!({
        "bench": "ingest",
        "days": days,
        "disorder_percent": disorder,
        "retention": retention,
        "events": arrivals.len(),
        "min_ns_per_event": per_event(nanos[0]),
        "median_ns_per_event": per_event(percentile(&nanos, 50.0)),
        "max_ns_per_event": per_event(nanos[RUNS - 1]),
        "checksum": checksum.to_string(),
        "expected": want.to_string(),
        "wrong": (checksum != want) as u64,
    })
}

fn fill(wheel: &mut RwWheel<U64SumAggregator>, arrivals: &[Entry<u64>]) {
    let mut watermark = BEGIN_MS;
    for block in arrivals.chunks(BLOCK) {
        for entry in block {
            wheel.insert(*entry);
        }
        watermark += BLOCK as u64 * 1000;
        wheel.advance_to(watermark);
    }
}
