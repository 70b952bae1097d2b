use crate::args::Args;
use crate::stats::{put_latencies, time_each, timer_cost};
use crate::wheel::{PcoSum, Setup, U64Aggregator};
use crate::workload::{self, BEGIN_MS, DAY_SECONDS};
use serde_json::{Map, Value, json};
use uwheel::WheelRange;
use uwheel::aggregator::sum::U64SumAggregator;

pub const OPTIONS: [&str; 8] = [
    "days",
    "granularity",
    "queries",
    "seed",
    "offset",
    "variant",
    "chunk",
    "retention",
];

pub fn run(args: &Args) -> Value {
    let setup = Setup::from(args);
    match setup.variant {
        "compressed" => measure::<PcoSum>(args, setup),
        _ => measure::<U64SumAggregator>(args, setup),
    }
}

fn measure<A: U64Aggregator>(args: &Args, mut setup: Setup) -> Value {
    let days = args.get("days", 1);
    let granularity = args.word("granularity", &["seconds", "minutes", "hours"]);
    let queries = args.get("queries", 50_000);
    let seed = args.get("seed", 42);
    // Zero for every compared run; other begins show the answers for a stream that
    // does not start on a minute.
    let offset: u64 = args.get("offset", 0);
    setup.begin_ms = BEGIN_MS + offset * 1000;

    let unit = match granularity {
        "seconds" => 1,
        "minutes" => 60,
        _ => 3600,
    };
    let values = workload::values((days * DAY_SECONDS) as usize);
    let prefix = workload::prefix_sums(&values);
    let bounds = workload::ranges(days, unit, queries, seed);
    let millis: Vec<(u64, u64)> = bounds
        .iter()
        .map(|(s, e)| (setup.begin_ms + s * 1000, setup.begin_ms + e * 1000))
        .collect();
    let ranges: Vec<WheelRange> = millis
        .iter()
        .map(|(s, e)| WheelRange::new_unchecked(*s, *e))
        .collect();

    let wheel = setup.filled::<A>(&values);
    let reader = wheel.read();

    let mut checksum = 0u64;
    let mut expected = 0u64;
    let (mut wrong, mut unanswered) = (0, 0);
    let mut examples = Vec::new();
    for (range, (start, end)) in ranges.iter().zip(&bounds) {
        let want = prefix[*end as usize] - prefix[*start as usize];
        let got = reader.combine_range_and_lower(*range);
        checksum = checksum.wrapping_add(got.unwrap_or(0));
        expected = expected.wrapping_add(want);
        if got != Some(want) {
            wrong += 1;
            unanswered += got.is_none() as u64;
            if examples.len() < 3 {
                examples.push(json!({"start": start, "end": end, "got": got, "expected": want}));
            }
        }
    }

    // combine_range_and_lower on the reader is the call a user makes: the optimiser
    // inside it picks single-level, combined, prefix or landmark plans by itself.
    let ask = |range: &WheelRange| reader.combine_range_and_lower(*range).unwrap_or(0);
    for _ in 0..2 {
        time_each(&ranges, ask);
    }
    let prepared = time_each(&ranges, ask);
    // A WheelRange holds calendar dates; a caller with plain timestamps pays for them.
    let from_millis = time_each(&millis, |(s, e)| ask(&WheelRange::new_unchecked(*s, *e)));

    let mut out = Map::new();
    out.insert("bench".into(), json!("ranges"));
    out.insert("days".into(), json!(days));
    out.insert("granularity".into(), json!(granularity));
    out.insert("variant".into(), json!(setup.variant));
    out.insert("simd".into(), json!(cfg!(feature = "simd")));
    out.insert("queries".into(), json!(queries));
    out.insert("begin_offset_seconds".into(), json!(offset));
    put_latencies(&mut out, prepared, "");
    put_latencies(&mut out, from_millis, "_from_millis");
    out.insert("unit".into(), json!("ns"));
    out.insert("checksum".into(), json!(checksum.to_string()));
    out.insert("expected".into(), json!(expected.to_string()));
    out.insert("wrong".into(), json!(wrong));
    out.insert("unanswered".into(), json!(unanswered));
    out.insert("wrong_examples".into(), json!(examples));
    out.insert("timer_ns".into(), json!(timer_cost()));
    Value::Object(out)
}
