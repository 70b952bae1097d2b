package io.paddlewheel.window

import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.column.Cells
import io.paddlewheel.time.{Fixed, Granularity, Levels, Micros, Times}
import io.paddlewheel.time.Micros.{Day, Hour, Minute, Second}
import io.paddlewheel.wheel.{Outcome, Wheel}

/** Faults known in other wheels, and those once found here. */
class KnownFaultsSuite extends AnyFunSuite {
  import Measure._

  private val seconds = Levels(Seq("1 second" -> None, "1 minute" -> None, "1 hour" -> None))

  private def at(second: Double, value: Long): Row = Row((second * Second).toLong, Some(value))

  /** Runs one batch, compares it with the definition, and gives what was emitted, times in seconds. */
  private def batch(drive: Drive, watermark: Double, rows: Row*): Seq[(Double, Double, Any)] = {
    val (found, expected) = drive.batch(rows, (watermark * Second).toLong)
    assert(drive.agree(found, expected), s"$found, but should be $expected")
    found.map(e => (e.start.toDouble / Second, e.end.toDouble / Second, e.value.head))
  }

  private def drive(measure: Measure, windows: Window*): Drive =
    new Drive(seconds, Measures(measure), windows.toIndexedSeq)

  test("a window longer than the base level is retained, by a coarser level") {
    val levels = Levels(Seq("1 second" -> Some("1 minute"), "1 minute" -> Some("1 day")))
    val hour = new Drive(levels, Measures(Sum), IndexedSeq(Window.Sliding(Hour, Minute)))
    val totals = (1 to 180).flatMap(minute => batch(hour, minute * 60, at(minute * 60 - 30, minute)))
    assert(totals.last == ((7200.0, 10800.0, (121 to 180).sum.toLong)))
  }

  test("the least over a session is not that of no data") {
    val found = batch(drive(Min, Window.Session(10 * Second)), 100, at(1, 7), at(5, 3), at(14, 9), at(24, 4))
    assert(found == Seq((1.0, 24.0, Some(3L)), (24.0, 34.0, Some(4L))))
  }

  test("top-k in descending order") {
    val top = drive(TopThree, Window.Sliding(10 * Second, 5 * Second))
    val found = batch(top, 15, at(1, 5), at(2, 9), at(3, 9), at(6, 1), at(7, 8), at(12, 2))
    assert(found.map(_._3) == Seq(Vector(9L, 9L, 5L), Vector(9L, 9L, 8L), Vector(8L, 2L, 1L)))
  }

  test("a range that is no multiple of the slide, for every kind of column") {
    for (measure <- Seq(Sum, NullableSum, Max, DoubleSum, Moments, TopThree, MaxCount)) {
      val pairs = drive(measure, Window.Sliding(10 * Second, 3 * Second))
      val found = (0 to 40).flatMap(s => batch(pairs, s + 1, at(s, s * s % 7)))
      assert(found.map(_._2) == (1 to 41).filter(end => (end - 10) % 3 == 0).map(_.toDouble))
    }
  }

  test("a first watermark that jumps past the first windows") {
    for (measure <- Seq(Sum, Max)) {
      val all =
        drive(measure, Window.Sliding(10 * Second, 5 * Second), Window.Tumbling(Granularity.parse("1 month")))
      assert(batch(all, 40 * 86400, at(3, 1), at(12, 2), at(23, 3), at(3000000, 4)).size == 9)
    }
  }

  test("long idle gaps: years of one-second slides") {
    for (measure <- Seq(Sum, Max, DoubleSum)) {
      val idle = drive(
        measure,
        Window.Sliding(10 * Second, Second),
        Window.Tumbling(Fixed(2 * Second, 0)),
        Window.Tumbling(Fixed(2 * Second, Second)),
        Window.Cumulative(Fixed(10 * Second, 0), Second),
        Window.Session(5 * Second)
      )
      val year = 365 * 86400.0
      val rows = (0 to 20).map(n => at(n * year, n))
      val found = batch(idle, 20 * year + 100, rows: _*)
      assert(found.size == 21 * (10 + 1 + 1 + 10 + 1))
      assert(batch(idle, 80 * year).isEmpty)
    }
  }

  test("a range of a year over one-second slices is not walked when it is empty") {
    val levels = Levels(Seq("1 second" -> None))
    val wheel = new Wheel(levels, Measures(Max).schema)
    val slices = new PairedSlices(wheel, 365 * Day, Second, new LevelRead(levels, 0), Cells(wheel.schema, 1))
    val stacks = new TwoStacks(wheel.schema)
    wheel.merge(100L, Measures(Max).row(Some(1L)), 0)
    wheel.merge(31000000L, Measures(Max).row(Some(2L)), 0)
    wheel.advance(400 * Day)
    assert(slices.feed(0, 0, 365 * Day, stacks) == 365 * Day)
    val total = Cells(wheel.schema, 1)
    wheel.schema.clear(total, 0)
    stacks.fold(total, 0)
    assert(Max.read(total, 0, 0) == Some(2L))
  }

  test("the greatest and its count over 5 seconds") {
    val levels = Levels(Seq("100 ms" -> None, "5 seconds" -> None))
    val window = Window.Sliding(5 * Second, 100 * Micros.Milli)
    val max = new Drive(levels, Measures(MaxCount), IndexedSeq(window))
    def until(watermark: Double, rows: Row*): Any = batch(max, watermark, rows: _*).last._3
    assert(until(6.1, at(2.0, 4), at(3.0, 3), at(4.0, 0), at(6.0, 4)) == Some((4L, 2L)))
    assert(until(6.6, at(6.5, 4)) == Some((4L, 3L)))
    assert(until(6.7, at(2.3, 5)) == Some((5L, 1L)))
    assert(until(7.2) == Some((5L, 1L)))
    assert(until(7.7) == Some((4L, 2L)))
  }

  test("a late row below the watermark, in a rotation that is still open, counts for the open windows") {
    for (measure <- Seq(Sum, Max, DoubleSum)) {
      val late =
        drive(measure, Window.Sliding(20 * Second, 5 * Second), Window.Tumbling(Fixed(30 * Second, 0)))
      batch(late, 12, at(1, 1), at(11, 2))
      assert(late.merge(at(8, 5)) == Outcome.Repaired)
      late.turning.forget()
      assert(batch(late, 30).nonEmpty)
    }
  }

  test("a slot that comes before the one found first, both above the watermark, is in no session lost") {
    val session = drive(Sum, Window.Session(10 * Second))
    assert(batch(session, 40, at(100, 1)).isEmpty)
    assert(batch(session, 45, at(50, 2)).isEmpty)
    assert(batch(session, 120) == Seq((50.0, 60.0, 2L), (100.0, 110.0, 1L)))
  }

  test("a session much longer than the base level is retained") {
    val levels = Levels(Seq("1 second" -> Some("1 minute"), "1 minute" -> Some("1 hour")))
    val session = new Drive(levels, Measures(Max), IndexedSeq(Window.Session(30 * Second)))
    (1 to 600).foreach { n =>
      assert(batch(session, n * 20 + 1, at(n * 20, n * 37 % 101)).isEmpty)
      if (n % 7 == 0) session.restart()
      // Nothing new: what is open is still needed.
      assert(batch(session, n * 20 + 1).isEmpty)
    }
    assert(batch(session, 13000) == Seq((20.0, 12030.0, Some(100L))))
  }

  test("a late slot opens a session again, and the longer one is given out") {
    for (restarted <- Seq(false, true)) {
      val session = drive(Sum, Window.Session(10 * Second))
      assert(batch(session, 12, at(0, 1)) == Seq((0.0, 10.0, 1L)))
      if (restarted) session.restore()
      assert(batch(session, 13, at(4, 2)).isEmpty)
      if (restarted) session.restore()
      assert(batch(session, 14) == Seq((0.0, 14.0, 3L)))
    }
  }

  test("a late slot whose own session is over is given out by no session") {
    val session = drive(Sum, Window.Session(10 * Second))
    batch(session, 60, at(0, 1), at(55, 2))
    assert(batch(session, 66, at(30, 4)) == Seq((55.0, 65.0, 2L)))
  }

  test("a watermark that jumps over years is answered before anything expires") {
    val levels = Levels(Seq("1 hour" -> Some("2 days"), "1 day" -> Some("62 days")), "Europe/Stockholm")
    val month = Window.Tumbling(Granularity.parse("1 month", Times.zone("Europe/Stockholm")))
    val drive =
      new Drive(levels, Measures(Max), IndexedSeq(month, Window.Session(Hour), Window.Sliding(Day, Hour)))
    val (found, expected) = drive.batch((0 to 9).map(n => Row(n * 20 * Day, Some(n.toLong))), 3000 * Day)
    assert(found == expected && found.size == 6 + 10 + 240)
  }

  test("the first of a kind that has no predecessor is emitted, whatever its value") {
    val first = new Drive(
      seconds,
      Measures(Sum),
      IndexedSeq(Window.Session(5 * Second), Window.Cumulative(Fixed(10 * Second, 0), 2 * Second)),
      Emission.Changed
    )
    assert(batch(first, 8, at(0, 0)) == Seq((0.0, 5.0, 0L), (0.0, 2.0, 0L)))
  }

  test("keys without data emit nothing") {
    for (measure <- Seq(Sum, Max)) {
      val empty = drive(measure, Window.Sliding(10 * Second, 5 * Second), Window.Session(Second))
      assert(batch(empty, 1e9).isEmpty)
    }
  }

  test("minutes are read where a window slides by minutes") {
    val found = batch(drive(Max, Window.Sliding(2 * Minute, Minute)), 240, at(30, 1), at(100, 2))
    assert(found.map(_._3) == Seq(Some(1L), Some(2L), Some(2L)))
  }
}
