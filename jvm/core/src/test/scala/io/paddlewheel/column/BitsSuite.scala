package io.paddlewheel.column

import java.util.BitSet

import org.scalacheck.Gen
import org.scalacheck.Prop.{forAllNoShrink, propBoolean}
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.Checks

class BitsSuite extends AnyFunSuite with Checks {
  private val size = 260

  private val word = Gen.frequency(2 -> Gen.const(0L), 1 -> Gen.const(-1L), 3 -> Gen.long)
  private val sets: Gen[Vector[Long]] = Gen.containerOfN[Vector, Long](Bits.words(size), word)
  private val sparse: Gen[Vector[Long]] =
    Gen
      .choose(0, size - 1)
      .map(bit => Vector.tabulate(Bits.words(size))(w => if (w == bit >> 6) 1L << bit else 0L))
  private val places =
    Gen.frequency(3 -> Gen.choose(0, size), 1 -> Gen.oneOf(0, 1, 63, 64, 65, 127, 128, 192, size))
  private val spans = Gen.zip(places, places).map { case (a, b) => (math.min(a, b), math.max(a, b)) }

  private def bitSet(words: Iterable[Long]): BitSet = BitSet.valueOf(words.toArray)

  private def bitsOf(set: BitSet, begin: Int, count: Int): Long =
    (0 until count).map(k => if (set.get(begin + k)) 1L << k else 0L).foldLeft(0L)(_ | _)

  private def put(set: BitSet, begin: Int, count: Int, bits: Long): Unit =
    (0 until count).foreach(k => set.set(begin + k, (bits >>> k & 1L) != 0))

  test("words and lowest") {
    assert(Seq(0, 1, 63, 64, 65, 128, 129).map(Bits.words) == Seq(0, 1, 1, 1, 2, 2, 3))
    (0 to 64).foreach(n => assert(Bits.lowest(n) == bitsOf(bitSet(Seq(-1L, -1L)), 0, n), n))
  }

  check("any")(forAllNoShrink(Gen.oneOf(sets, sparse), spans) { case (words, (begin, end)) =>
    val set = bitSet(words)
    val next = set.nextSetBit(begin)
    Bits.any(words.toArray, begin, end) == (next >= 0 && next < end)
  })

  test("any finds a single bit exactly in the spans that hold it") {
    for (bit <- 0 until 192) {
      val words = Array.tabulate(3)(w => if (w == bit >> 6) 1L << bit else 0L)
      for (begin <- 0 to 192; end <- begin to 192)
        assert(Bits.any(words, begin, end) == (begin <= bit && bit < end), s"$bit in [$begin, $end)")
    }
  }

  check("read")(forAllNoShrink(sets, Gen.choose(0, 64), Gen.choose(0, size - 64)) { (words, count, begin) =>
    Bits.read(words.toArray, begin, count) == bitsOf(bitSet(words), begin, count)
  })

  check("read up to the very end")(forAllNoShrink(sets, Gen.choose(0, 64)) { (words, count) =>
    val begin = words.size * 64 - count
    Bits.read(words.toArray, begin, count) == bitsOf(bitSet(words), begin, count)
  })

  check("write")(forAllNoShrink(sets, Gen.choose(0, 64), Gen.choose(0, size - 64), Gen.long) {
    (words, count, begin, bits) =>
      val written = words.toArray
      Bits.write(written, begin, count, bits)
      val expected = bitSet(words)
      put(expected, begin, count, bits)
      bitSet(written) == expected
  })

  check("copy to another array")(forAllNoShrink(sets, sets, spans, places) {
    case (from, to, (begin, end), place) =>
      val count = end - begin
      val at = math.min(place, size - count)
      val written = to.toArray
      Bits.copy(from.toArray, begin, written, at, count)
      bitSet(written) == copied(bitSet(from), begin, bitSet(to), at, count)
  })

  check("copy within an array, up and down")(forAllNoShrink(sets, spans, places) {
    case (words, (begin, end), place) =>
      val count = end - begin
      val at = math.min(place, size - count)
      val written = words.toArray
      Bits.copy(written, begin, written, at, count)
      (bitSet(written) == copied(
        bitSet(words),
        begin,
        bitSet(words),
        at,
        count
      )) :| s"$count from $begin to $at"
  })

  private def copied(from: BitSet, begin: Int, to: BitSet, at: Int, count: Int): BitSet = {
    (0 until count).foreach(k => to.set(at + k, from.get(begin + k)))
    to
  }
}
