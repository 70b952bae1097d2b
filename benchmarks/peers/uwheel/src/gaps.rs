use crate::args::Args;
use crate::stats::median;
use crate::wheel::Setup;
use crate::workload::{self, BEGIN_MS, DAY_SECONDS};
use serde_json::{Value, json};
use std::time::Instant;
use uwheel::aggregator::sum::U64SumAggregator;

pub const OPTIONS: [&str; 2] = ["retention", "repetitions"];

pub fn run(args: &Args) -> Value {
    // Keeping every second of an empty year is a memory test, not a gap test, so
    // the crate's own default (drop) is the default here.
    let retention = args.word("retention", &["drop", "keep"]);
    let repetitions = args.get("repetitions", 15);
    let setup = Setup {
        variant: "default",
        keep: retention == "keep",
        chunk: 0,
        begin_ms: BEGIN_MS,
    };
    let values = workload::values(DAY_SECONDS as usize);
    let want: u64 = values.iter().sum();

    let mut wrong = 0;
    let mut advance_over = |seconds: u64| {
        let nanos = (0..repetitions).map(|_| {
            let mut wheel = setup.filled::<U64SumAggregator>(&values);
            let to = wheel.watermark() + seconds * 1000;
            let before = Instant::now();
            wheel.advance_to(to);
            let took = before.elapsed().as_nanos() as u64;
            wrong += (wheel.read().landmark() != Some(want) || wheel.watermark() != to) as u64;
            took
        });
        median(nanos.collect())
    };
    let minute = advance_over(60);
    let day = advance_over(DAY_SECONDS);
    let year = advance_over(365 * DAY_SECONDS);
    json!({
        "bench": "gaps",
        "retention": retention,
        "repetitions": repetitions,
        "minute_ns": minute,
        "day_ns": day,
        "year_ns": year,
        "wrong": wrong,
    })
}
