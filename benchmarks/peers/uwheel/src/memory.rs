use crate::args::Args;
use crate::heap::live_bytes;
use crate::rng::SplitMix64;
use crate::wheel::{PcoSum, Setup, U64Aggregator};
use crate::workload::{self, BEGIN_MS, DAY_SECONDS};
use serde_json::{Value, json};
use uwheel::aggregator::sum::U64SumAggregator;
use uwheel::{Entry, RwWheel};

pub const OPTIONS: [&str; 6] = [
    "days",
    "variant",
    "chunk",
    "retention",
    "occupied",
    "wheels",
];

pub fn run(args: &Args) -> Value {
    if args.has("occupied") {
        return sparse(args);
    }
    let setup = Setup::from(args);
    match setup.variant {
        "compressed" => full::<PcoSum>(args, setup),
        _ => full::<U64SumAggregator>(args, setup),
    }
}

fn full<A: U64Aggregator>(args: &Args, setup: Setup) -> Value {
    let days: u64 = args.get("days", 1);
    let values = workload::values((days * DAY_SECONDS) as usize);
    let want: u64 = values.iter().sum();

    let before = live_bytes();
    // Boxed, so that the struct itself is on the heap and counted as well.
    let wheel = Box::new(setup.filled::<A>(&values));
    let heap = live_bytes() - before;

    let landmark = wheel.read().landmark();
    json!({
        "bench": "memory",
        "days": days,
        "variant": setup.variant,
        "retention": if setup.keep { "keep" } else { "drop" },
        "compression_chunk_slots": (setup.variant == "compressed").then_some(setup.chunk),
        "slots": wheel.read().len(),
        "heap_bytes": heap,
        "struct_bytes_within_heap_bytes": size_of::<RwWheel<A>>(),
        "own_size_bytes": wheel.size_bytes(),
        "bincode_bytes": bincode::serialized_size(&*wheel).expect("bincode"),
        "postcard_bytes": postcard::to_allocvec(&*wheel).expect("postcard").len(),
        "postcard_reader_only_bytes": postcard::to_allocvec(wheel.read()).expect("postcard").len(),
        "checksum": landmark.unwrap_or(0).to_string(),
        "wrong": (landmark != Some(want)) as u64,
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Advance {
    Never,
    AtTheEnd,
    BeforeEachEvent,
}

fn sparse(args: &Args) -> Value {
    let occupied: usize = args.get("occupied", 1);
    let wheels: usize = args.get("wheels", 1000);
    // One generator runs through all wheels, so they differ in their seconds.
    let mut rng = SplitMix64::new(3);
    let days: Vec<Vec<u64>> = (0..wheels)
        .map(|_| distinct_seconds(&mut rng, occupied))
        .collect();

    let mut wrong = 0;
    let mut per_wheel = |advance: Advance| {
        let mut alive: Vec<Box<RwWheel<U64SumAggregator>>> = Vec::with_capacity(wheels);
        let before = live_bytes();
        for seconds in &days {
            alive.push(Box::new(sparse_wheel(seconds, advance)));
        }
        let heap = live_bytes() - before;
        if advance != Advance::Never {
            wrong += alive
                .iter()
                .filter(|w| w.read().landmark() != Some(occupied as u64))
                .count();
        }
        heap as f64 / wheels as f64
    };
    let never = per_wheel(Advance::Never);
    let at_the_end = per_wheel(Advance::AtTheEnd);
    let along = per_wheel(Advance::BeforeEachEvent);
    json!({
        "bench": "memory",
        "occupied_seconds": occupied,
        "wheels_alive": wheels,
        "retention": "drop",
        "struct_bytes_within_heap_bytes": size_of::<RwWheel<U64SumAggregator>>(),
        "heap_bytes_per_wheel_inserts_only": never,
        "heap_bytes_per_wheel_inserts_then_advance": at_the_end,
        "heap_bytes_per_wheel_advance_before_each_event": along,
        "wrong": wrong,
    })
}

fn distinct_seconds(rng: &mut SplitMix64, count: usize) -> Vec<u64> {
    let mut taken = vec![false; DAY_SECONDS as usize];
    let mut seconds = Vec::with_capacity(count);
    while seconds.len() < count {
        let second = rng.below(DAY_SECONDS);
        if !std::mem::replace(&mut taken[second as usize], true) {
            seconds.push(second);
        }
    }
    seconds.sort_unstable();
    seconds
}

/// Every event has the value 1, so the landmark counts the events that arrived.
fn sparse_wheel(seconds: &[u64], advance: Advance) -> RwWheel<U64SumAggregator> {
    let mut wheel = RwWheel::new(BEGIN_MS);
    for second in seconds {
        let at = BEGIN_MS + second * 1000;
        if advance == Advance::BeforeEachEvent {
            wheel.advance_to(at);
        }
        wheel.insert(Entry::new(1, at));
    }
    if advance != Advance::Never {
        wheel.advance_to(BEGIN_MS + DAY_SECONDS * 1000);
    }
    wheel
}
