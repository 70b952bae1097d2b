package io.paddlewheel.query

import io.paddlewheel.{Refusal, TimeRange}
import io.paddlewheel.column.{Cells, Schema}
import io.paddlewheel.plan.{Explanation, Horizon, NotAnswerable, Plan, Planner}
import io.paddlewheel.time.{Granularity, Instants, Levels, Span}
import io.paddlewheel.wheel.Wheel

/** Answers questions about the wheels of many keys, or of one, at one watermark.
  *
  * A question is planned once and run over every wheel. A reader sees the wheels as they were when it was made; make
  * another when they have changed.
  */
final class Reader(levels: Levels, schema: Schema, wheels: IndexedSeq[Wheel]) {
  private val planner = new Planner(levels, schema)
  private val horizon =
    if (wheels.isEmpty) new Horizon(levels, Instants.Min, Long.MaxValue, Long.MinValue)
    else Horizon.of(wheels)

  def plan(range: TimeRange): Plan = planner.plan(range, horizon)

  def explain(range: TimeRange): Explanation = planner.explain(range, horizon)

  /** One answer for each wheel. With `widen` the smallest answerable range around this one is taken instead, where
    * this one is not answerable.
    */
  def range(range: TimeRange, widen: Boolean = false): Answers =
    try run(plan(range))
    catch {
      case refused: NotAnswerable if widen && refused.nearest.nonEmpty => run(plan(refused.nearest.get))
    }

  /** The last `length` of time up to the watermark. */
  def interval(length: Span): Answers = {
    if (horizon.watermark <= Instants.Min)
      throw new Refusal(
        "NO_WATERMARK",
        "An interval ends at the watermark, and there is none yet. Ask for a range."
      )
    val end = levels.base.floor(horizon.watermark)
    range(TimeRange(length.before(end, levels.zone), end))
  }

  /** Everything that was ever merged, expired or not. */
  def landmark(): Answers = run(plan(TimeRange(Long.MinValue, Long.MaxValue)))

  /** One answer for each step of a grid and each wheel that has data there, steps in time order. The grid need not be
    * a level; the first and the last step are cut off where the range is.
    */
  def groupBy(range: TimeRange, every: Granularity)(visit: Group => Unit): Unit = {
    if (!Granularity.nests(levels.base, every))
      throw new Refusal(
        "STEP_NOT_A_MULTIPLE",
        s"Steps of ${every.name} are not made of whole slots of the base, ${levels.base.name}. Use a multiple of it."
      )
    if (horizon.first < horizon.last) {
      val end = math.min(range.end, every.ceil(horizon.last))
      var from = math.max(range.start, every.floor(horizon.first))
      while (from < end) {
        val step = every.slotOf(from)
        val until = math.min(end, every.end(step))
        val answers = run(plan(TimeRange(from, until)))
        if (answers.anyPresent) visit(Group(every.start(step), every.end(step), answers))
        val next = if (answers.anyPresent) until else nextData(until)
        from = if (next >= end) end else math.max(until, every.floor(next))
      }
    }
  }

  /** Start of the first and end of the last slot that some level still holds; coarse where only coarse levels do. */
  def held: Option[TimeRange] = {
    val ranges = wheels.flatMap(heldBy)
    if (ranges.isEmpty) None else Some(TimeRange(ranges.map(_.start).min, ranges.map(_.end).max))
  }

  private def heldBy(wheel: Wheel): Option[TimeRange] = {
    val firsts = (0 until levels.count).flatMap(l => wheel.nextSlot(Instants.Min, l).map((l, _)))
    val lasts = (0 until levels.count).flatMap(l => wheel.previousSlot(Instants.Max, l).map((l, _)))
    if (firsts.isEmpty) None
    else {
      // A coarser slot says something new only if it ends before what the finer levels hold begins.
      val start = firsts.map(_._2).zipWithIndex.foldLeft(Long.MaxValue) { case (known, (slot, at)) =>
        val grid = levels.granularity(firsts(at)._1)
        if (grid.end(grid.slotOf(slot)) <= known) slot else known
      }
      val (level, slot) = lasts.head
      val grid = levels.granularity(level)
      Some(TimeRange(start, grid.end(grid.slotOf(slot))))
    }
  }

  private def run(plan: Plan): Answers = {
    val cells = Cells(schema, wheels.size)
    val present = Array.tabulate(wheels.size)(w => plan.run(wheels(w), cells, w))
    new Answers(plan.range, plan.complete, cells, present)
  }

  /** No wheel has data between `instant` and this. */
  private def nextData(instant: Long): Long = {
    val level = (0 until levels.count).find(l => horizon.from(l) <= levels.granularity(l).floor(instant))
    level.fold(instant) { l =>
      val from = levels.granularity(l).floor(instant)
      val next = wheels.iterator.flatMap(_.nextSlot(from, l)).minOption.getOrElse(Long.MaxValue)
      math.max(instant, math.min(next, horizon.until(l)))
    }
  }
}

/** The answers to one question: position `w` of `cells` is that of wheel `w`, and means nothing unless it is present. */
final class Answers(val range: TimeRange, val complete: Boolean, val cells: Cells, present: Array[Boolean]) {
  def isPresent(wheel: Int): Boolean = present(wheel)
  def anyPresent: Boolean = present.contains(true)
}

/** The answers for one step, `[start, end)` of the grid. */
final case class Group(start: Long, end: Long, answers: Answers)
