use crate::args::{Args, fail};
use crate::workload::{BEGIN_MS, BLOCK};
use uwheel::aggregator::Compression;
use uwheel::wheels::read::aggregation::conf::{DataLayout, WheelMode};
use uwheel::{Aggregator, Conf, Entry, HawConf, RetentionPolicy, RwWheel};

/// Every aggregator here works on u64 from end to end.
pub trait U64Aggregator:
    Aggregator<Input = u64, MutablePartialAggregate = u64, PartialAggregate = u64, Aggregate = u64>
{
}
impl<A> U64Aggregator for A where
    A: Aggregator<
            Input = u64,
            MutablePartialAggregate = u64,
            PartialAggregate = u64,
            Aggregate = u64,
        >
{
}

/// uwheel ships no compressing aggregator: the user supplies the codec. Its own
/// example uses pco, so the peer does as well.
#[derive(Clone, Copy, Debug, Default)]
pub struct PcoSum;

impl Aggregator for PcoSum {
    const IDENTITY: u64 = 0;
    type Input = u64;
    type MutablePartialAggregate = u64;
    type PartialAggregate = u64;
    type Aggregate = u64;

    fn lift(input: u64) -> u64 {
        input
    }
    fn combine_mutable(sum: &mut u64, input: u64) {
        *sum += input;
    }
    fn freeze(sum: u64) -> u64 {
        sum
    }
    fn combine(a: u64, b: u64) -> u64 {
        a + b
    }
    fn lower(sum: u64) -> u64 {
        sum
    }
    fn compression() -> Option<Compression<u64>> {
        use pco::standalone::{simple_compress, simple_decompress};
        Some(Compression::new(
            |slots| simple_compress(slots, &pco::ChunkConfig::default()).expect("pco compress"),
            |bytes| simple_decompress(bytes).expect("pco decompress"),
        ))
    }
}

#[derive(Clone, Copy)]
pub struct Setup {
    pub variant: &'static str,
    pub keep: bool,
    pub chunk: usize,
    pub begin_ms: u64,
}

impl Setup {
    pub fn from(args: &Args) -> Self {
        let setup = Self {
            variant: args.word("variant", &["default", "prefix", "compressed", "hints"]),
            keep: args.word("retention", &["keep", "drop"]) == "keep",
            chunk: args.get("chunk", 128),
            begin_ms: BEGIN_MS,
        };
        if setup.variant == "hints" && !cfg!(feature = "simd") {
            fail("--variant hints does nothing without the simd feature");
        }
        if setup.variant == "compressed" && !setup.keep {
            // Dropping the oldest slot of a compressed level drops its oldest chunk.
            fail("--variant compressed loses data under --retention drop");
        }
        setup
    }

    pub fn empty<A: U64Aggregator>(&self) -> RwWheel<A> {
        let mut haw = HawConf::default().with_watermark(self.begin_ms);
        if self.keep {
            haw = haw.with_retention_policy(RetentionPolicy::Keep);
        }
        if self.variant == "compressed" {
            let layout = DataLayout::Compressed(self.chunk);
            for level in [
                &mut haw.seconds,
                &mut haw.minutes,
                &mut haw.hours,
                &mut haw.days,
                &mut haw.weeks,
                &mut haw.years,
            ] {
                level.set_data_layout(layout);
            }
        }
        if cfg!(feature = "simd") {
            // In stream mode a SIMD aggregator makes the deque contiguous at every
            // push, which is quadratic once the levels keep all their slots.
            haw = haw.with_mode(WheelMode::Index);
            haw.optimizer.use_hints(self.variant == "hints");
        }
        RwWheel::with_conf(Conf::default().with_haw_conf(haw))
    }

    /// Ingests one value per second and moves the watermark to the end of the stream.
    pub fn filled<A: U64Aggregator>(&self, values: &[u64]) -> RwWheel<A> {
        let mut wheel = self.empty::<A>();
        let mut second = 0;
        for block in values.chunks(BLOCK) {
            for v in block {
                wheel.insert(Entry::new(*v, self.begin_ms + second * 1000));
                second += 1;
            }
            wheel.advance_to(self.begin_ms + second * 1000);
        }
        if cfg!(feature = "simd") || self.variant == "prefix" {
            // Both the SIMD scan and the prefix builder read only the first of the
            // two slices of a ring buffer, so it has to be one slice.
            wheel.read().to_simd_wheels();
        }
        if self.variant == "prefix" {
            // Asking for the prefix layout in the configuration rebuilds the whole
            // prefix array at every tick; converting after ingest is the usable way.
            wheel.read().to_prefix_wheels();
        }
        wheel
    }
}
