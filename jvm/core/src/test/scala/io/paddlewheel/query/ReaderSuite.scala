package io.paddlewheel.query

import scala.collection.mutable.ArrayBuffer
import scala.util.Random

import org.scalacheck.{Gen, Prop}
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.{Checks, Refusal, TimeRange}
import io.paddlewheel.plan.NotAnswerable
import io.paddlewheel.time.{Granularity, Instants, Levels, Span, Times}
import io.paddlewheel.time.Micros.{Day, Hour, Minute, Second}
import io.paddlewheel.window.{Measure, Measures, Row}

/** Answers of random wheels are those of their rows, or a refusal that is due. */
class ReaderSuite extends AnyFunSuite with Checks {
  import Measure._

  private val schemas =
    Seq(
      Measures(Sum),
      Measures(NullableSum, Sum),
      Measures(Max, Min),
      Measures(DoubleSum, TopThree),
      Measures(Moments)
    )

  /** Questions over random wheels; what is wrong with an answer, if anything. */
  private def asking(question: (Wheels, Seq[Granularity], () => Long, Random) => Option[String]): Prop =
    Prop.forAllNoShrink(Gen.long) { seed =>
      val random = new Random(seed)
      val (wheels, grids, instant) = Wheels.random(random, schemas)
      val faults = Iterator.continually(question(wheels, grids, instant, random)).take(8).flatten
      faults
        .nextOption()
        .fold(Prop.passed)(fault => Prop.falsified :| s"${wheels.levels}, ${wheels.measures}: $fault")
    }

  private def between(a: Long, b: Long): TimeRange = TimeRange(math.min(a, b), math.max(a, b))

  private def compare(wheels: Wheels, answers: Answers): Option[String] = {
    val (found, expected) = (wheels.read(answers), wheels.naive(answers.range))
    Option.unless(wheels.agree(found, expected))(s"${answers.range}: found $found, should be $expected")
  }

  /** Nothing that starts where the base still holds everything may be refused. */
  private def due(wheels: Wheels, range: TimeRange): Boolean = {
    val base = wheels.levels.base
    range.start < wheels.heldFrom || !base.isAligned(range.start) || !base.isAligned(range.end)
  }

  private def steps(
      wheels: Wheels,
      range: TimeRange,
      every: Granularity
  ): Seq[(Long, Long, Seq[Option[Seq[Any]]])] = {
    val found = ArrayBuffer.empty[(Long, Long, Seq[Option[Seq[Any]]])]
    wheels.reader.groupBy(range, every)(g => found += ((g.start, g.end, wheels.read(g.answers))))
    found.toSeq
  }

  check("a range is answered, or refused where it is due") {
    asking { (wheels, _, instant, _) =>
      val range = between(instant(), instant())
      try {
        val answers = wheels.reader.range(range)
        val complete = wheels.wheels.nonEmpty && range.end <= wheels.wheels.head.watermark
        if (answers.range != range) Some(s"$range: answered ${answers.range}")
        else if (wheels.wheels.nonEmpty && answers.complete != complete)
          Some(s"$range: complete is ${answers.complete}")
        else compare(wheels, answers)
      } catch { case refused: NotAnswerable => Option.unless(due(wheels, range))(refused.getMessage) }
    }
  }

  check("a widened range is answered, if anything of it is left") {
    asking { (wheels, _, instant, _) =>
      val range = between(instant(), instant())
      try {
        val answers = wheels.reader.range(range, widen = true)
        if (answers.range.end < range.end) Some(s"$range: widened to ${answers.range}")
        else compare(wheels, answers)
      } catch { case refused: NotAnswerable => Option.unless(refused.nearest.isEmpty)(refused.getMessage) }
    }
  }

  check("steps of any grid are those of the rows, the first and the last cut off") {
    asking { (wheels, grids, instant, random) =>
      val range =
        if (random.nextInt(8) == 0) TimeRange(Instants.Min, Instants.Max) else between(instant(), instant())
      val every = grids(random.nextInt(grids.size))
      try {
        val (found, expected) = (steps(wheels, range, every), wheels.naiveSteps(range, every))
        val same = found.map(s => (s._1, s._2)) == expected.map(s => (s._1, s._2)) &&
          found.lazyZip(expected).forall((f, e) => wheels.agree(f._3, e._3))
        Option.unless(same)(s"$range by $every: found $found, should be $expected")
      } catch {
        case refused: NotAnswerable => Option.unless(due(wheels, range))(s"$range by $every: $refused")
      }
    }
  }

  check("many wheels at once are answered as one by one", cases = 300) {
    asking { (wheels, _, instant, _) =>
      val range = between(instant(), instant())
      try {
        val together = wheels.reader.range(range)
        wheels.wheels.indices
          .find { w =>
            val alone =
              new Reader(wheels.levels, wheels.measures.schema, wheels.wheels.slice(w, w + 1)).range(range)
            val (one, of) = (wheels.measures.read(alone.cells, 0), wheels.measures.read(together.cells, w))
            alone.isPresent(0) != together.isPresent(w) || alone
              .isPresent(0) && !wheels.measures.agree(one, of)
          }
          .map(w => s"$range: wheel $w alone differs")
      } catch { case _: NotAnswerable => None }
    }
  }

  check("the landmark is everything, expired or not", cases = 300) {
    asking { (wheels, _, _, _) => compare(wheels, wheels.reader.landmark()) }
  }

  check("an interval ends at the last slot below the watermark", cases = 300) {
    asking { (wheels, _, _, random) =>
      val length =
        Span(0, 0, (wheels.levels.base.end(0) - wheels.levels.base.start(0)) * (1 + random.nextInt(200)))
      val started = wheels.wheels.exists(_.watermark > Instants.Min)
      try {
        val answers = wheels.reader.interval(length)
        val end = wheels.levels.base.floor(wheels.wheels.head.watermark)
        if (answers.range != TimeRange(end - length.micros, end) || !answers.complete)
          Some(s"$length: ${answers.range}")
        else compare(wheels, answers)
      } catch {
        case refused: NotAnswerable =>
          Option.unless(refused.range.start < wheels.heldFrom)(refused.getMessage)
        case refused: Refusal =>
          Option.when(started || refused.condition != "NO_WATERMARK")(refused.getMessage)
      }
    }
  }

  check("what is held are the slots of every row, at the finest level that still has it", cases = 300) {
    asking { (wheels, _, _, _) =>
      val slots =
        wheels.rows.map(_.flatMap(row => wheels.heldSlot(row.time)).sortBy(_.start)).filter(_.nonEmpty)
      val expected =
        Option.when(slots.nonEmpty)(TimeRange(slots.map(_.head.start).min, slots.map(_.last.end).max))
      Option.unless(wheels.reader.held == expected)(s"${wheels.reader.held}, should be $expected")
    }
  }

  private def seconds(retention: Option[String] = None): Wheels =
    new Wheels(Levels(Seq("1 second" -> retention, "1 minute" -> None, "1 hour" -> None)), Measures(Max), 1)

  private def condition(question: => Any): String = intercept[Refusal](question).condition

  test("sparse rows over years, by the second, are found at once") {
    val sparse = seconds()
    (0 to 30).foreach(n => sparse.merge(0, Row(n * 365 * Day, Some(n.toLong))))
    sparse.advance(100 * 365 * Day)
    val all = TimeRange(-1000 * Day, 200 * 365 * Day)
    assert(
      steps(sparse, all, Granularity.parse("1 second")) == sparse.naiveSteps(
        all,
        Granularity.parse("1 second")
      )
    )
    assert(steps(sparse, all, Granularity.parse("7 seconds")).size == 31)
  }

  test("sparse rows over years whose seconds have expired, by the hour") {
    val sparse = seconds(Some("1 minute"))
    (0 to 30).foreach(n => sparse.merge(0, Row(n * 365 * Day, Some(n.toLong))))
    sparse.advance(30 * 365 * Day + 30 * Second)
    val all = TimeRange(-1000 * Day, 30 * 365 * Day)
    assert(
      steps(sparse, all, Granularity.parse("1 hour")) == sparse.naiveSteps(all, Granularity.parse("1 hour"))
    )
    assert(condition(steps(sparse, all, Granularity.parse("1 second"))) == "RANGE_NOT_ANSWERABLE")
  }

  test("months and ISO weeks of a zone, where clocks change") {
    val zone = Times.zone("America/New_York")
    val hours =
      new Wheels(Levels(Seq("1 hour" -> None, "1 day" -> None), "America/New_York"), Measures(Sum), 2)
    val start = Times.local("2025-02-27T00:00:00", zone)
    (0 until 24 * 20).foreach(n => hours.merge(n % 2, Row(start + n * Hour, Some(n.toLong))))
    hours.advance(start + 15 * Day)
    val range = TimeRange(start + 5 * Hour, start + 18 * Day)
    for (every <- Seq("1 month", "1 week", "2 weeks", "1 day", "5 hours").map(Granularity.parse(_, zone))) {
      val found = steps(hours, range, every)
      assert(found == hours.naiveSteps(range, every) && found.nonEmpty)
    }
  }

  test("the first and the last step are cut off where the range is") {
    val all = seconds()
    (0 until 180).foreach(n => all.merge(0, Row(n * Second, Some(n.toLong))))
    all.advance(Hour)
    val found = steps(all, TimeRange(30 * Second, 130 * Second), Granularity.parse("1 minute"))
    assert(
      found.map(s => (s._1, s._3.head.get.head)) == Seq(
        (0L, Some(59L)),
        (Minute, Some(119L)),
        (2 * Minute, Some(129L))
      )
    )
  }

  test("above the watermark an answer is not complete") {
    val live = seconds()
    live.merge(0, Row(10 * Second, Some(1L)))
    live.merge(0, Row(100 * Second, Some(2L)))
    live.advance(50 * Second)
    assert(live.reader.range(TimeRange(0, 50 * Second)).complete)
    val above = live.reader.range(TimeRange(0, 101 * Second))
    assert(!above.complete && live.read(above) == Seq(Some(Seq(Some(2L)))))
  }

  test("ranges of nothing") {
    val all = seconds()
    all.merge(0, Row(10 * Second, Some(1L)))
    assert(!all.reader.range(TimeRange(10 * Second, 10 * Second)).anyPresent)
    assert(steps(all, TimeRange(10 * Second, 10 * Second), Granularity.parse("1 second")).isEmpty)
    val none = new Reader(all.levels, all.measures.schema, IndexedSeq.empty)
    assert(!none.range(TimeRange(0, Day)).anyPresent && !none.landmark().anyPresent && none.held.isEmpty)
  }

  test("refusals, by name") {
    val kept = seconds(Some("1 minute"))
    assert(condition(kept.reader.interval(Span.parse("1 minute"))) == "NO_WATERMARK")
    (0 until 600).foreach(n => kept.merge(0, Row(n * Second, Some(n.toLong))))
    kept.advance(600 * Second)
    assert(condition(steps(kept, TimeRange(0, Hour), Granularity.parse("1500 ms"))) == "STEP_NOT_A_MULTIPLE")
    assert(condition(kept.reader.range(TimeRange(61 * Second, 200 * Second))) == "RANGE_NOT_ANSWERABLE")
    assert(condition(kept.reader.range(TimeRange(500000, 599 * Second + 1))) == "RANGE_NOT_ANSWERABLE")
    assert(condition(TimeRange(1, 0)) == "RANGE_REVERSED")
    val widened = kept.reader.range(TimeRange(61 * Second, 200 * Second), widen = true)
    assert(
      widened.range == TimeRange(60 * Second, 240 * Second) && kept.read(widened) == kept.naive(widened.range)
    )
  }
}
