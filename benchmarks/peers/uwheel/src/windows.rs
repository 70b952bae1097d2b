use crate::args::{Args, fail};
use crate::stats::percentile;
use crate::wheel::U64Aggregator;
use crate::workload::{self, BEGIN_MS};
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::Instant;
use uwheel::aggregator::max::U64MaxAggregator;
use uwheel::aggregator::sum::U64SumAggregator;
use uwheel::{Duration, Entry, RwWheel, Window, WindowAggregate};

pub const OPTIONS: [&str; 6] = [
    "range",
    "slide",
    "events",
    "rate",
    "aggregator",
    "watermark-every",
];

const WARM_UPS: usize = 1;
const RUNS: usize = 5;

pub fn run(args: &Args) -> Value {
    match args.word("aggregator", &["sum", "max"]) {
        "max" => measure::<U64MaxAggregator>(args, "max", |a, b| a.max(b)),
        _ => measure::<U64SumAggregator>(args, "sum", |a, b| a + b),
    }
}

fn measure<A: U64Aggregator>(args: &Args, name: &str, combine: fn(u64, u64) -> u64) -> Value {
    let range: u64 = args.get("range", 30);
    let slide: u64 = args.get("slide", 10);
    let count: usize = args.get("events", 10_000_000);
    let rate: u64 = args.get("rate", 1000);
    let every: usize = args.get("watermark-every", 100);
    if rate == 0 || slide == 0 || range < slide || every == 0 {
        fail("rate, slide and watermark-every must be positive and range at least slide");
    }

    let entries: Vec<Entry<u64>> = workload::values(count)
        .into_iter()
        .enumerate()
        .map(|(i, v)| Entry::new(v, BEGIN_MS + i as u64 * 1000 / rate))
        .collect();
    // Window edges fall on whole seconds, so one cell per second is all the brute
    // force needs; zero is the identity of both aggregators.
    let seconds = (entries.last().map_or(BEGIN_MS, |e| e.timestamp) - BEGIN_MS) / 1000 + 1;
    let mut cells = vec![0u64; seconds as usize];
    for e in &entries {
        let cell = &mut cells[((e.timestamp - BEGIN_MS) / 1000) as usize];
        *cell = combine(*cell, e.data);
    }

    let window = Window::sliding(
        Duration::seconds(range as i64),
        Duration::seconds(slide as i64),
    );
    let new_wheel = || {
        let mut wheel = RwWheel::<A>::new(BEGIN_MS);
        wheel.window(window);
        wheel
    };

    let mut emitted: Vec<WindowAggregate<u64>> = Vec::new();
    let mut wheel = new_wheel();
    drive(&mut wheel, &entries, every, |w| emitted.push(w));
    let last_watermark = wheel.watermark();
    let wrong = emitted
        .iter()
        .filter(|w| {
            let from = ((w.window_start_ms - BEGIN_MS) / 1000) as usize;
            let to = ((w.window_end_ms - BEGIN_MS) / 1000) as usize;
            cells[from..to].iter().copied().fold(0, combine) != w.aggregate
        })
        .count();
    let steady = emitted.iter().enumerate().all(|(i, w)| {
        w.window_start_ms == BEGIN_MS + i as u64 * slide * 1000
            && w.window_end_ms == w.window_start_ms + range * 1000
    });

    let mut nanos = Vec::new();
    let (mut windows, mut checksum) = (0u64, 0u64);
    for turn in 0..WARM_UPS + RUNS {
        let mut wheel = new_wheel();
        (windows, checksum) = (0, 0);
        let before = Instant::now();
        drive(&mut wheel, black_box(&entries), every, |w| {
            windows += 1;
            checksum = checksum.wrapping_add(w.aggregate);
        });
        let took = before.elapsed().as_nanos() as u64;
        if turn >= WARM_UPS {
            nanos.push(took);
        }
    }
    nanos.sort_unstable();
    let per_second = |took: u64| (count as f64 * 1e9 / took as f64).round() as u64;
    let edges = |w: Option<&WindowAggregate<u64>>| {
        w.map(|w| [w.window_start_ms - BEGIN_MS, w.window_end_ms - BEGIN_MS])
    };
    json!({
        "bench": "windows",
        "aggregator": name,
        "range_seconds": range,
        "slide_seconds": slide,
        "events": count,
        "events_per_stream_second": rate,
        "watermark_every_events": every,
        "simd": cfg!(feature = "simd"),
        "median_events_per_second": per_second(percentile(&nanos, 50.0)),
        "best_events_per_second": per_second(nanos[0]),
        "worst_events_per_second": per_second(nanos[RUNS - 1]),
        "windows": windows,
        "checksum": checksum.to_string(),
        "wrong": wrong,
        "first_window_ms_from_begin": edges(emitted.first()),
        "last_window_ms_from_begin": edges(emitted.last()),
        "every_slide_from_begin_without_hole": steady,
        "last_watermark_ms_from_begin": last_watermark - BEGIN_MS,
    })
}

fn drive<A: U64Aggregator>(
    wheel: &mut RwWheel<A>,
    entries: &[Entry<u64>],
    every: usize,
    mut consume: impl FnMut(WindowAggregate<u64>),
) {
    for group in entries.chunks(every) {
        for entry in group {
            wheel.insert(*entry);
        }
        if group.len() == every {
            // The wheel ticks whole seconds only; the rest of the watermark is kept
            // back until the next second is complete.
            for window in wheel.advance_to(group[every - 1].timestamp) {
                consume(window);
            }
        }
    }
}
