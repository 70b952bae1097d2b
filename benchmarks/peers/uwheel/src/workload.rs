use crate::rng::SplitMix64;
use uwheel::Entry;

/// 2023-10-01 00:00:00 UTC: aligned to a day, so every level of the wheel starts aligned.
pub const BEGIN_MS: u64 = 1_696_118_400_000;
pub const DAY_SECONDS: u64 = 86_400;
pub const BLOCK: usize = 32;

/// One value per event, in event order.
pub fn values(count: usize) -> Vec<u64> {
    let mut rng = SplitMix64::new(1);
    (0..count).map(|_| rng.below(1000)).collect()
}

/// `prefix[i]` is the sum of the first `i` values: the brute-force answer to every range.
pub fn prefix_sums(values: &[u64]) -> Vec<u64> {
    let mut prefix = Vec::with_capacity(values.len() + 1);
    let mut sum = 0u64;
    prefix.push(sum);
    for v in values {
        sum += v;
        prefix.push(sum);
    }
    prefix
}

/// Random `[start, end)` ranges in seconds from the stream's begin.
pub fn ranges(days: u64, unit_seconds: u64, count: usize, seed: u64) -> Vec<(u64, u64)> {
    let units = days * DAY_SECONDS / unit_seconds;
    let mut rng = SplitMix64::new(seed);
    (0..count)
        .map(|_| {
            let a = rng.below(units);
            let mut b = rng.below(units);
            if a == b {
                b = a + 1;
            }
            (a.min(b) * unit_seconds, a.max(b) * unit_seconds)
        })
        .collect()
}

/// The one-event-per-second stream in arrival order. One generator runs through all
/// blocks, and the swap partner is drawn only when a swap happens.
pub fn arrivals(values: &[u64], disorder_percent: u64) -> Vec<Entry<u64>> {
    let mut entries: Vec<_> = values
        .iter()
        .enumerate()
        .map(|(second, v)| Entry::new(*v, BEGIN_MS + second as u64 * 1000))
        .collect();
    let mut rng = SplitMix64::new(7);
    for block in entries.chunks_exact_mut(BLOCK) {
        for j in 0..BLOCK {
            if rng.below(100) < disorder_percent {
                block.swap(j, rng.below(BLOCK as u64) as usize);
            }
        }
    }
    entries
}
