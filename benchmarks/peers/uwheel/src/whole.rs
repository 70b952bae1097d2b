use crate::args::Args;
use crate::stats::{put_latencies, time_each, timer_cost};
use crate::wheel::{PcoSum, Setup, U64Aggregator};
use crate::workload::{self, DAY_SECONDS};
use serde_json::{Map, Value, json};
use uwheel::WheelRange;
use uwheel::aggregator::sum::U64SumAggregator;

pub const OPTIONS: [&str; 5] = ["days", "queries", "variant", "chunk", "retention"];

pub fn run(args: &Args) -> Value {
    let setup = Setup::from(args);
    match setup.variant {
        "compressed" => measure::<PcoSum>(args, setup),
        _ => measure::<U64SumAggregator>(args, setup),
    }
}

fn measure<A: U64Aggregator>(args: &Args, setup: Setup) -> Value {
    let days = args.get("days", 1);
    let queries: usize = args.get("queries", 50_000);
    let values = workload::values((days * DAY_SECONDS) as usize);
    let want: u64 = values.iter().sum();
    let wheel = setup.filled::<A>(&values);
    let reader = wheel.read();
    let all = WheelRange::new_unchecked(setup.begin_ms, setup.begin_ms + days * DAY_SECONDS * 1000);

    let landmark = reader.landmark();
    let range = reader.combine_range_and_lower(all);
    let wrong = queries * ((landmark != Some(want)) as usize);
    let wrong_range = queries * ((range != Some(want)) as usize);

    let turns = vec![all; queries];
    let ask_landmark = |_: &WheelRange| reader.landmark().unwrap_or(0);
    let ask_range = |r: &WheelRange| reader.combine_range_and_lower(*r).unwrap_or(0);
    for _ in 0..2 {
        time_each(&turns, ask_landmark);
        time_each(&turns, ask_range);
    }
    let landmarks = time_each(&turns, ask_landmark);
    let ranges = time_each(&turns, ask_range);

    let total = |one: Option<u64>| one.unwrap_or(0).wrapping_mul(queries as u64).to_string();
    let mut out = Map::new();
    out.insert("bench".into(), json!("whole"));
    out.insert("days".into(), json!(days));
    out.insert("variant".into(), json!(setup.variant));
    out.insert("simd".into(), json!(cfg!(feature = "simd")));
    out.insert("queries".into(), json!(queries));
    put_latencies(&mut out, landmarks, "");
    put_latencies(&mut out, ranges, "_range");
    out.insert("unit".into(), json!("ns"));
    out.insert("checksum".into(), json!(total(landmark)));
    out.insert("checksum_range".into(), json!(total(range)));
    out.insert("expected".into(), json!(total(Some(want))));
    out.insert("wrong".into(), json!(wrong));
    out.insert("wrong_range".into(), json!(wrong_range));
    out.insert("timer_ns".into(), json!(timer_cost()));
    Value::Object(out)
}
