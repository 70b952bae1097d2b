package io.paddlewheel.plan

import org.scalacheck.Gen
import org.scalacheck.Prop.forAllNoShrink
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.{Checks, Gens, Mill, Plain, Program, Refusal, Step, TimeRange}
import io.paddlewheel.column.{Cells, Column, Kind, Merge, Overflow, Schema}
import io.paddlewheel.time.{Instants, Levels}
import io.paddlewheel.time.Times.utc
import io.paddlewheel.wheel.Wheel

class PlannerSuite extends AnyFunSuite with Checks {

  private def run(plan: Plan, wheel: Wheel): Option[Seq[Any]] = {
    val into = Cells(wheel.schema, 1)
    Option.when(plan.run(wheel, into, 0))(Plain.read(into, 0))
  }

  private def refusedOr[A](plan: => A): Either[NotAnswerable, A] =
    try Right(plan)
    catch { case refused: NotAnswerable => Left(refused) }

  /** Instants at and around everything that may matter: rows, edges of slots, the watermark, what is held, the ends. */
  private def instants(mill: Mill): Gen[Long] = {
    val levels = mill.levels
    val wheel = mill.wheel
    val held = (0 until levels.count).map(levels.heldFrom(_, wheel.watermark))
    val known = (mill.oracle.instants ++ held :+ wheel.watermark) ++
      (if (wheel.isEmpty) Nil else Seq(wheel.first, wheel.last))
    val near = for {
      instant <- Gen.oneOf(known)
      distance <- Gen.frequency(3 -> Gen.const(0L), 1 -> Gen.const(1L), 3 -> Gens.stretch(levels))
      sign <- Gen.oneOf(-1, 1)
    } yield Gens.within(levels, instant + sign * distance)
    val edges = for {
      instant <- near
      level <- Gen.choose(0, levels.top)
      up <- Gen.oneOf(true, false)
      grid = levels.granularity(level)
    } yield if (up) grid.ceil(instant) else grid.floor(instant)
    val ends = Gen.oneOf(Long.MinValue, Long.MaxValue, Instants.Min, Instants.Max)
    Gen.frequency(2 -> near, 5 -> edges, 1 -> ends)
  }

  private def ranges(mill: Mill): Gen[TimeRange] =
    Gen.zip(instants(mill), instants(mill)).map { case (a, b) => TimeRange(math.min(a, b), math.max(a, b)) }

  private def questions(schemas: Gen[Schema]): Gen[Questions] = for {
    program <- Gens.programs(schemas)
    expired <- Gen.oneOf(true, false)
    asked <- Gen.listOfN(6, ranges(Mill.of(program)))
  } yield Questions(program, expired, asked)

  private def turned(questions: Questions): Mill = {
    val mill = Mill.of(questions.program)
    if (questions.expired) mill.wheel.expire()
    mill
  }

  private def checkRanges(name: String, schemas: Gen[Schema] = Gens.schema)(
      holds: (Mill, Planner, Horizon, TimeRange) => Boolean
  ): Unit =
    check(name) {
      forAllNoShrink(questions(schemas)) { asked =>
        val mill = turned(asked)
        val planner = new Planner(mill.levels, mill.schema)
        asked.ranges.forall { range =>
          val held = holds(mill, planner, Horizon.of(mill.wheel), range)
          if (!held) println(s"$range: ${refusedOr(planner.explain(range, Horizon.of(mill.wheel)))}")
          held
        }
      }
    }

  /** From the definition: a bound can be answered where some level has an edge there and still holds what lies beside
    * it, or where there is nothing beyond it.
    */
  private final class Answerable(mill: Mill) {
    private val levels = mill.levels
    private val wheel = mill.wheel
    private val all = 0 until levels.count

    private def aligned(level: Int, instant: Long) = levels.granularity(level).isAligned(instant)

    // Where no row was dropped yet it does not matter how far back a level reaches.
    private def holds(level: Int, instant: Long) = mill.held(level, wheel.first) || mill.held(level, instant)

    def start(x: Long): Boolean =
      x <= wheel.first && (mill.held(levels.top, wheel.first) || mill.schema.subtractable) ||
        x > Instants.Min && all.exists(level => aligned(level, x) && holds(level, x))

    // From before all data on, the landmark less what follows will do, where it can be taken out.
    def end(start: Long, x: Long): Boolean =
      x >= wheel.last || x > Instants.Min && all.exists { level =>
        val beside = if (mill.schema.subtractable && start <= wheel.first) x else x - 1
        aligned(level, x) && holds(level, beside) && (level == 0 || x <= wheel.watermark)
      }

    def apply(range: TimeRange): Boolean =
      range.isEmpty || range.end <= wheel.first || range.start >= wheel.last ||
        range.start <= wheel.first && range.end >= wheel.last || start(range.start) && end(
          range.start,
          range.end
        )
  }

  /** How often each part of a wheel's time is counted: once in the range, never outside of it. */
  private def coversOnce(plan: Plan, wheel: Wheel): Boolean = {
    val counted = plan.pieces.map {
      case span: Piece.Span =>
        val grid = wheel.levels.granularity(span.level)
        (grid.start(span.from), grid.start(span.until), if (span.operation == Operation.Subtract) -1 else 1)
      case Piece.Landmark => (Long.MinValue, Long.MaxValue, 1)
    }
    val edges = (counted.flatMap(c => Seq(c._1, c._2)) ++ Seq(plan.range.start, plan.range.end, wheel.first))
      .filter(edge => edge >= wheel.first && edge < wheel.last)
    edges.forall { edge =>
      val expected = if (plan.range.start <= edge && edge < plan.range.end) 1 else 0
      counted.collect { case (from, until, sign) if from <= edge && edge < until => sign }.sum == expected
    }
  }

  checkRanges("every candidate covers its range exactly once") { (mill, planner, horizon, range) =>
    refusedOr(planner.explain(range, horizon)).forall { explained =>
      (explained.chosen +: explained.rejected).forall { plan =>
        coversOnce(plan, mill.wheel) && plan.pieces.forall {
          case span: Piece.Span =>
            span.from < span.until && (span.level == 0 ||
              mill.levels.granularity(span.level).start(span.until) <= mill.wheel.watermark)
          case Piece.Landmark => true
        }
      }
    }
  }

  checkRanges("every candidate gives the oracle's answer") { (mill, planner, horizon, range) =>
    refusedOr(planner.explain(range, horizon)).forall { explained =>
      val expected = mill.oracle.answer(range.start, range.end)
      (explained.chosen +: explained.rejected).forall(plan => Plain.same(run(plan, mill.wheel), expected))
    }
  }

  checkRanges("so it does where sums are subtracted", Gens.invertible) { (mill, planner, horizon, range) =>
    refusedOr(planner.explain(range, horizon)).forall { explained =>
      val expected = mill.oracle.answer(range.start, range.end)
      (explained.chosen +: explained.rejected).forall(plan => Plain.same(run(plan, mill.wheel), expected))
    }
  }

  checkRanges("an answer without a plan is that of the plan", Gens.invertible) {
    (mill, planner, horizon, range) =>
      val into = Cells(mill.schema, 1)
      val answer = refusedOr(
        Option.when(planner.answer(range, horizon, mill.wheel, into, 0))(Plain.read(into, 0))
      )
      refusedOr(planner.plan(range, horizon)) match {
        case Left(_) => answer.isLeft
        case Right(_) => answer.exists(Plain.same(_, mill.oracle.answer(range.start, range.end)))
      }
  }

  checkRanges("the plan is the one explained, the cheapest, and complete up to the watermark") {
    (mill, planner, horizon, range) =>
      refusedOr(planner.plan(range, horizon)) match {
        case Left(_) => refusedOr(planner.explain(range, horizon)).isLeft
        case Right(plan) =>
          val explained = planner.explain(range, horizon)
          plan == explained.chosen && plan.complete == (range.end <= mill.wheel.watermark) &&
          explained.rejected.forall(_.cost >= plan.cost) &&
          explained.rejected == explained.rejected.sortBy(_.cost) &&
          explained.rejected.forall(other => other.range == range && other.complete == plan.complete)
      }
  }

  checkRanges("a range is refused only where a bound is held by no level") {
    (mill, planner, horizon, range) =>
      new Answerable(mill)(range) == refusedOr(planner.plan(range, horizon)).isRight
  }

  checkRanges("what is offered instead is the smallest range around that can be answered") {
    (mill, planner, horizon, range) =>
      refusedOr(planner.plan(range, horizon)) match {
        case Right(_) => true
        case Left(refused) =>
          val answerable = new Answerable(mill)
          val grids = (0 until mill.levels.count).map(mill.levels.granularity)
          val floors = grids.map(_.floor(math.max(Instants.Min, range.start))).filter(_ <= range.start)
          val ceils = grids.map(_.ceil(math.min(Instants.Max, range.end))).filter(_ >= range.end)
          // Where all before has been dropped: the first edge that is still held.
          val oldest = grids.indices.map(l => mill.levels.heldFrom(l, mill.wheel.watermark)).min
          val start = (range.start +: floors).filter(answerable.start).maxOption.getOrElse(oldest)
          val end = (range.end +: ceils).filter(answerable.end(start, _)).minOption
          val expected = end.filter(_ > start).map(TimeRange(start, _))
          refused.nearest == expected && refused.nearest.forall { offered =>
            val plan = planner.plan(offered, horizon)
            Plain.same(run(plan, mill.wheel), mill.oracle.answer(offered.start, offered.end))
          }
      }
  }

  checkRanges("only what can be subtracted is taken out of the landmark") { (mill, planner, horizon, range) =>
    refusedOr(planner.explain(range, horizon)).forall { explained =>
      (explained.chosen +: explained.rejected).forall { plan =>
        val subtracts = plan.pieces.exists {
          case span: Piece.Span => span.operation == Operation.Subtract
          case Piece.Landmark => false
        }
        subtracts == (plan.candidate == Candidate.LandmarkMinusRest) && (!subtracts || mill.schema.subtractable)
      }
    }
  }

  check("one plan serves many wheels") {
    val several = for {
      levels <- Gens.levels
      schema <- Gens.schema
      start <- Gens.instant(levels)
      programs <- Gen.listOfN(3, Gens.steps(levels, schema, start))
      mills = programs.map(steps => new Mill(levels, schema).run(steps))
      ranges <- Gen.listOfN(6, ranges(mills.head))
    } yield (levels, schema, programs, ranges)
    forAllNoShrink(several) { case (levels, schema, programs, ranges) =>
      val mills = programs.map(steps => new Mill(levels, schema).run(steps))
      val watermark = mills.map(_.wheel.watermark).max
      mills.foreach { mill =>
        mill.wheel.advance(watermark)
        mill.wheel.expire()
      }
      val planner = new Planner(levels, schema)
      val horizon = Horizon.of(mills.map(_.wheel))
      ranges.forall { range =>
        refusedOr(planner.explain(range, horizon)).forall { explained =>
          (explained.chosen +: explained.rejected).forall { plan =>
            mills.forall(m => Plain.same(run(plan, m.wheel), m.oracle.answer(range.start, range.end)))
          }
        }
      }
    }
  }

  // Golden numbers: plans are made of levels and instants alone, no wheel is needed.

  private val clock = Levels(Seq("1 second", "1 minute", "1 hour", "1 day").map(_ -> None))
  private val max = Schema(Column.Primitive("max", Kind.Long, Merge.Max))
  private val sum = Schema(Column.Primitive("sum", Kind.Long, Merge.Sum, overflow = Overflow.Error))
  private val slotsOnly =
    Costs(piece = 0, difference = 1, whole = 1, floating = 1, group = 1, combined = 1, landmark = 1)

  private def day(time: String): Long = utc(s"2026-03-20T$time")
  private def between(start: String, end: String): TimeRange = TimeRange(day(start), day(end))

  private val whole = new Horizon(clock, day("23:59:59"), utc("2026-01-01T00:00:00"), day("23:59:59"))

  private def pieces(plan: Plan): Seq[(String, Long)] = plan.pieces.map {
    case span: Piece.Span => clock.granularity(span.level).name -> span.slots
    case Piece.Landmark => "landmark" -> 1L
  }

  test("[10:15:23, 13:20:50) is 153 slots and 152 combines") {
    val explained = new Planner(clock, max, slotsOnly).explain(between("10:15:23", "13:20:50"), whole)
    val plan = explained.chosen
    assert(plan.candidate == Candidate.CombinedLevels(2))
    assert(
      pieces(plan) ==
        Seq("1 second" -> 37, "1 minute" -> 44, "1 hour" -> 2, "1 minute" -> 20, "1 second" -> 50)
    )
    assert(plan.slots == 153 && plan.combines == 152 && plan.complete)
    val scan = explained.rejected.find(_.candidate == Candidate.OneLevel(0)).get
    assert(scan.slots == 11127 && scan.cost == 11127)
    assert(explained.rejected.map(_.slots) == Seq(37 + 184 + 50, 11127))
  }

  test("[12:00, 18:30) is 36 slots and 35 combines, or 390 minutes") {
    val explained = new Planner(clock, max, slotsOnly).explain(between("12:00:00", "18:30:00"), whole)
    assert(pieces(explained.chosen) == Seq("1 hour" -> 6, "1 minute" -> 30))
    assert(explained.chosen.slots == 36 && explained.chosen.combines == 35)
    assert(explained.rejected.find(_.candidate == Candidate.OneLevel(1)).map(_.slots).contains(390L))
  }

  test(
    "with the fitted costs, too, levels are combined where columns are folded, and one difference is taken otherwise"
  ) {
    val range = between("10:15:23", "13:20:50")
    assert(new Planner(clock, max).plan(range, whole).candidate.isInstanceOf[Candidate.CombinedLevels])
    val difference = new Planner(clock, sum).plan(range, whole)
    assert(difference.candidate == Candidate.OneLevel(0) && pieces(difference) == Seq("1 second" -> 11127))
  }

  test("a plan prints, compares, and names what was rejected") {
    val planner = new Planner(clock, max, slotsOnly)
    val explained = planner.explain(between("12:00:00", "18:30:00"), whole)
    assert(explained.chosen == planner.plan(between("12:00:00", "18:30:00"), whole))
    assert(explained.chosen != planner.plan(between("12:00:00", "18:31:00"), whole))
    assert(
      explained.chosen.toString ==
        """[2026-03-20T12:00:00Z, 2026-03-20T18:30:00Z) by combined levels, 36 slots, 36 ns, complete
          |  fold 6 × 1 hour [2026-03-20T12:00:00Z, 2026-03-20T18:00:00Z)
          |  fold 30 × 1 minute [2026-03-20T18:00:00Z, 2026-03-20T18:30:00Z)""".stripMargin
    )
    assert(
      explained.toString.contains(
        "rejected: [2026-03-20T12:00:00Z, 2026-03-20T18:30:00Z) by one level, 390 slots"
      )
    )
    assert(explained.toString.contains("23400 slots, 23400 ns"))
  }

  // Faults known in other wheels.

  private def counted(levels: Levels, schema: Schema, value: Long => Long): Mill = {
    val mill = new Mill(levels, schema)
    (day("10:00:00") until day("14:00:00") by 7000000L).foreach(t => mill.row(t, Seq(Some(BigInt(value(t))))))
    mill
  }

  private def ask(mill: Mill, range: TimeRange): Option[Seq[Any]] =
    run(new Planner(mill.levels, mill.schema).plan(range, Horizon.of(mill.wheel)), mill.wheel)

  test("a start that is not aligned to a minute") {
    Seq(max, sum).foreach { schema =>
      val mill = counted(clock, schema, t => t / 1000000 % 977 - 400)
      mill.wheel.advance(day("13:30:00"))
      Seq("10:00:01", "10:15:23", "10:59:59", "13:29:59", "13:30:01").foreach { start =>
        val range = between(start, "13:45:10")
        assert(ask(mill, range) == mill.oracle.answer(range.start, range.end), range)
      }
    }
  }

  test("an end past the watermark is answered, and marked as not complete") {
    val mill = counted(clock, max, t => t / 1000000 % 977)
    mill.wheel.advance(day("12:34:56"))
    val planner = new Planner(clock, max)
    Seq("12:34:57", "13:00:00", "13:59:59", "23:00:00").foreach { end =>
      val range = between("10:30:00", end)
      val plan = planner.plan(range, Horizon.of(mill.wheel))
      assert(!plan.complete && plan.toString.contains("incomplete"))
      assert(run(plan, mill.wheel) == mill.oracle.answer(range.start, range.end))
    }
    assert(planner.plan(between("10:30:00", "12:34:56"), Horizon.of(mill.wheel)).complete)
  }

  test("negative sums and their inverse") {
    val mill = counted(clock, sum, t => -(t / 1000000 % 977))
    mill.wheel.advance(day("13:30:00"))
    Seq(TimeRange(Long.MinValue, day("13:00:01")), TimeRange(day("10:00:01"), Long.MaxValue)).foreach {
      range =>
        val explained = new Planner(clock, sum).explain(range, Horizon.of(mill.wheel))
        val plans = explained.chosen +: explained.rejected
        assert(plans.exists(_.candidate == Candidate.LandmarkMinusRest))
        plans.foreach(plan => assert(run(plan, mill.wheel) == mill.oracle.answer(range.start, range.end)))
    }
  }

  test("a long idle gap: all but the coarsest level has let the rows go") {
    val levels = Levels(
      Seq(
        "1 second" -> Some("1 hour"),
        "1 minute" -> Some("2 hours"),
        "1 hour" -> Some("1 day"),
        "1 day" -> None
      )
    )
    val mill = counted(levels, max, t => t / 1000000 % 977)
    mill.wheel.advance(day("10:00:00") + 400L * 86400 * 1000000)
    mill.wheel.expire()
    val wanted = mill.oracle.answer(day("00:00:00"), day("23:59:59"))
    assert(ask(mill, TimeRange(day("00:00:00"), Long.MaxValue)) == wanted)
    assert(ask(mill, TimeRange(Long.MinValue, day("23:59:59"))) == wanted)
    val refused = intercept[NotAnswerable](ask(mill, between("10:00:01", "12:00:00")))
    // Nothing is before 10:00, so it will do; after 12:00 there are rows until 14:00, and only days are left.
    val offered = TimeRange(day("10:00:00"), day("00:00:00") + 86400L * 1000000)
    assert(refused.condition == "RANGE_NOT_ANSWERABLE" && refused.nearest.contains(offered))
    assert(refused.getMessage.contains(s"Widen to $offered") && ask(mill, offered) == wanted)
  }

  test("a first watermark that jumps past everything") {
    val mill = counted(clock, max, t => t / 1000000 % 977)
    mill.wheel.advance(day("10:00:00") + 400L * 86400 * 1000000)
    val range = between("10:15:23", "13:20:50")
    assert(ask(mill, range) == mill.oracle.answer(range.start, range.end))
  }

  test("zero-width ranges are empty, reversed ones are refused") {
    val mill = counted(clock, max, t => t / 1000000 % 977)
    val planner = new Planner(clock, max)
    Seq(day("10:00:00"), day("10:15:23") + 1, Long.MinValue, Long.MaxValue).foreach { instant =>
      val plan = planner.plan(TimeRange(instant, instant), Horizon.of(mill.wheel))
      assert(plan.candidate == Candidate.Nothing && run(plan, mill.wheel).isEmpty)
    }
    assert(intercept[Refusal](between("10:00:01", "10:00:00")).condition == "RANGE_REVERSED")
    assert(intercept[Refusal](TimeRange(Long.MaxValue, Long.MinValue)).condition == "RANGE_REVERSED")
  }

  test("nothing is read where there can be no data") {
    val planner = new Planner(clock, max)
    val empty = new Wheel(clock, max)
    assert(
      planner.plan(TimeRange(Long.MinValue, Long.MaxValue), Horizon.of(empty)).candidate == Candidate.Nothing
    )
    val mill = counted(clock, max, identity)
    mill.run(Seq(Step.Advance(day("13:00:00"), shared = false)))
    Seq(between("00:00:00", "10:00:00"), between("14:00:01", "15:00:00")).foreach { range =>
      assert(planner.plan(range, Horizon.of(mill.wheel)).candidate == Candidate.Nothing)
    }
    assert(
      planner
        .plan(TimeRange(Long.MinValue, Long.MaxValue), Horizon.of(mill.wheel))
        .candidate == Candidate.Landmark
    )
  }
}

/** A program, whether its wheel then drops what it may, and ranges to ask of it. */
private final case class Questions(program: Program, expired: Boolean, ranges: Seq[TimeRange]) {
  override def toString: String = s"$program\n  expired: $expired\n  ${ranges.mkString("\n  ")}"
}
