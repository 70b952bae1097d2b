use serde_json::{Map, Value, json};
use std::hint::black_box;
use std::time::Instant;

/// Nearest-rank percentile of a sorted slice.
pub fn percentile(sorted: &[u64], p: f64) -> u64 {
    let rank = (p / 100.0 * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

pub fn median(mut nanos: Vec<u64>) -> u64 {
    nanos.sort_unstable();
    percentile(&nanos, 50.0)
}

/// Adds p50, p95, p99 and mean, each name followed by `suffix`.
pub fn put_latencies(out: &mut Map<String, Value>, mut nanos: Vec<u64>, suffix: &str) {
    nanos.sort_unstable();
    for p in [50, 95, 99] {
        out.insert(format!("p{p}{suffix}"), json!(percentile(&nanos, p as f64)));
    }
    let mean = nanos.iter().sum::<u64>() as f64 / nanos.len() as f64;
    out.insert(format!("mean{suffix}"), json!((mean * 10.0).round() / 10.0));
}

/// What a pair of clock reads costs by itself: every single-query time holds it.
pub fn timer_cost() -> u64 {
    let pairs = (0..100_000).map(|_| {
        let before = Instant::now();
        black_box(());
        before.elapsed().as_nanos() as u64
    });
    median(pairs.collect())
}

pub fn time_each<T>(items: &[T], mut run: impl FnMut(&T) -> u64) -> Vec<u64> {
    let mut nanos = Vec::with_capacity(items.len());
    for item in items {
        let before = Instant::now();
        black_box(run(black_box(item)));
        nanos.push(before.elapsed().as_nanos() as u64);
    }
    nanos
}
