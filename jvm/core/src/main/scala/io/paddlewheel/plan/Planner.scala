package io.paddlewheel.plan

import scala.collection.immutable.ArraySeq

import io.paddlewheel.{Refusal, TimeRange}
import io.paddlewheel.column.{Cells, Schema}
import io.paddlewheel.time.{Granularity, Instants, Levels}
import io.paddlewheel.wheel.Wheel

/** Finds the cheapest way to answer a range exactly. */
final class Planner(levels: Levels, schema: Schema, costs: Costs = Costs.fitted) {
  private val (spanCost, slotCost) = costs.of(schema)
  private val levelAlone = Array.tabulate[Candidate](levels.count)(Candidate.OneLevel(_))
  private val operation = if (schema.invertible) Operation.Difference else Operation.Fold

  /** The cheapest plan, or [[NotAnswerable]]. */
  def plan(range: TimeRange, horizon: Horizon): Plan =
    shortcut(range, horizon) match {
      case null => weigh(range, horizon).chosen
      case found => found
    }

  /** Plans a range and runs it over one wheel, as [[plan]] and [[Plan.run]] do, without making the plan where one
    * difference answers.
    */
  def answer(range: TimeRange, horizon: Horizon, wheel: Wheel, into: Cells, i: Int): Boolean =
    if (coversAll(range, horizon)) wheel.landmark(into, i)
    else
      commonLevel(range, horizon) match {
        case -1 => plan(range, horizon).run(wheel, into, i)
        case level =>
          val grid = levels.granularity(level)
          schema.clear(into, i)
          wheel.fold(into, i, level, grid.slotOf(range.start), grid.slotOf(range.end))
      }

  /** As [[plan]], with the candidates that lost. */
  def explain(range: TimeRange, horizon: Horizon): Explanation = {
    val weighed = weigh(range, horizon)
    shortcut(range, horizon) match {
      case null => weighed
      case found =>
        Explanation(found, (weighed.chosen +: weighed.rejected).filter(_.candidate != found.candidate))
    }
  }

  /** The smallest range around this one that can be answered exactly. Where what lies before has been dropped, the part
    * of it that is left; none if nothing is. A bound that can be answered stays as it is.
    */
  def nearest(range: TimeRange, horizon: Horizon): Option[TimeRange] = {
    // Before all data, what was dropped is still in the landmark.
    def opens(start: Long) =
      start <= horizon.first && (horizon.from(levels.top) == Long.MinValue || schema.subtractable)
    def closes(end: Long, level: Int, start: Long) =
      end >= horizon.last || end <= horizon.until(level) && (end > horizon.from(level) ||
        end == horizon.from(level) && schema.subtractable && start <= horizon.first)

    val start =
      if (opens(range.start)) range.start
      else {
        val floors = edges(range.start)(_.floor(_))
        floors
          .collect { case (l, x) if x >= horizon.from(l) || opens(x) => x }
          .maxOption
          .getOrElse(horizon.from.min)
      }
    val end =
      if (range.end >= horizon.last) Some(range.end)
      else {
        val ceils = edges(range.end)(_.ceil(_))
        ceils.collect { case (l, x) if closes(x, l, start) => x }.minOption
      }
    end.filter(_ > start).map(TimeRange(start, _))
  }

  /** A slot edge beside the instant for each level; none outside of the domain. */
  private def edges(instant: Long)(edge: (Granularity, Long) => Long): Seq[(Int, Long)] =
    if (instant < Instants.Min || instant > Instants.Max) Nil
    else (0 until levels.count).map(l => (l, edge(levels.granularity(l), instant)))

  /** The plans that nothing can be cheaper than, found without weighing: the total of everything, and, where all columns
    * have running totals, one difference on the coarsest level that has both bounds. Null where neither will do.
    */
  private def shortcut(range: TimeRange, horizon: Horizon): Plan =
    if (coversAll(range, horizon))
      Plan(range, Candidate.Landmark, Planner.landmark, costs.landmark, range.end <= horizon.watermark)
    else
      commonLevel(range, horizon) match {
        case -1 => null
        case level =>
          val pieces = ArraySeq[Piece](span(level, range.start, range.end))
          Plan(range, levelAlone(level), pieces, spanCost, range.end <= horizon.watermark)
      }

  /** The coarsest level that answers the range by one difference; -1 if there is none. */
  private def commonLevel(range: TimeRange, horizon: Horizon): Int =
    if (!schema.invertible || isNothing(range, horizon)) -1
    else if (range.start < Instants.Min || range.end > Instants.Max) -1
    else {
      var from = levels.base.slotOf(range.start)
      var until = levels.base.slotOf(range.end)
      if (levels.base.start(from) != range.start || levels.base.start(until) != range.end) -1
      else {
        // A slot starts where its parent does if it is the first of its rotation, and the parent is the rotation.
        var level = 0
        var climbing = true
        while (climbing && level < levels.top && range.end <= horizon.until(level + 1)) {
          val fromRotation = levels.rotationOf(level, from)
          climbing = levels.firstSlot(level, fromRotation) == from
          if (climbing) {
            val untilRotation = levels.rotationOf(level, until)
            climbing = levels.firstSlot(level, untilRotation) == until
            if (climbing) {
              from = fromRotation
              until = untilRotation
              level += 1
            }
          }
        }
        if (range.start < horizon.from(level)) -1 else level
      }
    }

  private def coversAll(range: TimeRange, horizon: Horizon): Boolean =
    range.start <= horizon.first && range.end >= horizon.last && horizon.first < horizon.last

  private def isNothing(range: TimeRange, horizon: Horizon): Boolean =
    range.isEmpty || range.end <= horizon.first || range.start >= horizon.last

  private def weigh(range: TimeRange, horizon: Horizon): Explanation = {
    val complete = range.end <= horizon.watermark
    if (isNothing(range, horizon))
      Explanation(Plan(range, Candidate.Nothing, ArraySeq.empty[Piece], 0, complete), Nil)
    else {
      val open = Bounds.of(range, horizon)
      // The coarsest first: of plans that cost the same it wins, as in `shortcut`.
      val byLevels = (levels.top to 0 by -1).flatMap { top =>
        cover(open, top, horizon).map { spans =>
          val used = spans.map(_.level)
          val candidate =
            if (used.min == used.max) Candidate.OneLevel(used.max) else Candidate.CombinedLevels(used.max)
          Plan(range, candidate, spans, cost(spans), complete)
        }
      }
      val candidates = (byLevels ++ byLandmark(range, open, horizon, complete)).distinctBy(_.pieces)
      if (candidates.isEmpty) throw new NotAnswerable(range, nearest(range, horizon), levels, horizon)
      val chosen = candidates.minBy(_.cost)
      Explanation(chosen, candidates.filterNot(_ eq chosen).sortBy(_.cost))
    }
  }

  private def byLandmark(range: TimeRange, open: Bounds, horizon: Horizon, complete: Boolean): Option[Plan] =
    if (open.fromFirst && open.toLast)
      Some(Plan(range, Candidate.Landmark, Planner.landmark, costs.landmark, complete))
    else if (schema.subtractable && (open.fromFirst || open.toLast)) {
      val all = Bounds.of(TimeRange(horizon.first, horizon.last), horizon)
      val other =
        if (open.fromFirst) Bounds(open.end, all.end, fromFirst = false, toLast = true)
        else Bounds(all.start, open.start, fromFirst = true, toLast = false)
      val rests = (0 until levels.count).flatMap(cover(other, _, horizon))
      rests.minByOption(cost).map { rest =>
        val pieces = Piece.Landmark +: rest.map(_.by(Operation.Subtract): Piece)
        Plan(range, Candidate.LandmarkMinusRest, pieces, costs.landmark + cost(rest), complete)
      }
    } else None

  /** Covers a range with slots of the levels up to `top`, the coarsest wherever they fit; none if that cannot be done
    * exactly. Pieces are in time order.
    */
  private def cover(bounds: Bounds, top: Int, horizon: Horizon): Option[ArraySeq[Piece.Span]] =
    if (!levels.base.isAligned(bounds.start) || !levels.base.isAligned(bounds.end)) None
    else {
      val heads = ArraySeq.newBuilder[Piece.Span]
      var tails = List.empty[Piece.Span]
      var from = bounds.start
      var until = bounds.end
      var level = 0
      var held = true

      def take(begin: Long, stop: Long): Piece.Span = {
        held &= begin >= horizon.from(level)
        span(level, begin, stop)
      }

      var done = from >= until
      while (!done) {
        val coarser = if (level < top) levels.granularity(level + 1) else null
        // From the first slot on any level will do: there is nothing before it.
        val up =
          if (coarser == null) Long.MaxValue else if (bounds.fromFirst) from else coarser.ceil(from)
        val down =
          if (coarser == null) Long.MinValue else math.min(coarser.floor(until), horizon.until(level + 1))
        if (up >= down) {
          heads += take(from, until)
          done = true
        } else {
          if (from < up) heads += take(from, up)
          if (down < until) tails ::= take(down, until)
          from = up
          until = down
          level += 1
        }
      }
      if (held) Some((heads ++= tails).result()) else None
    }

  private def span(level: Int, start: Long, end: Long): Piece.Span = {
    val grid = levels.granularity(level)
    val from = grid.slotOf(start)
    val until = grid.slotOf(end)
    Piece.Span(level, from, until, operation)(
      levels,
      levels.rotationOf(level, from),
      levels.rotationOf(level, until)
    )
  }

  private def cost(spans: Seq[Piece.Span]): Double =
    spans.iterator.map(span => spanCost + slotCost * span.slots).sum
}

private object Planner {
  private val landmark: ArraySeq[Piece] = ArraySeq(Piece.Landmark)
}

/** A range as the wheels see it: a bound beyond all data is moved to the first slot, or to an edge after the last. */
private final case class Bounds(start: Long, end: Long, fromFirst: Boolean, toLast: Boolean)

private object Bounds {

  def of(range: TimeRange, horizon: Horizon): Bounds = {
    val fromFirst = range.start <= horizon.first
    val toLast = range.end >= horizon.last
    val start = if (fromFirst) horizon.first else range.start
    val end = if (toLast) afterLast(horizon) else range.end
    Bounds(start, end, fromFirst, toLast)
  }

  /** Where the coarsest level that knows the last slot has an edge: the levels below may have dropped it. */
  private def afterLast(horizon: Horizon): Long =
    (horizon.levels.top to 0 by -1).iterator
      .map(level => (level, horizon.levels.granularity(level).ceil(horizon.last)))
      .collectFirst { case (level, edge) if edge <= horizon.until(level) => edge }
      .getOrElse(horizon.last)
}

/** The plan chosen and those that would have answered too, cheapest first. */
final case class Explanation(chosen: Plan, rejected: Seq[Plan]) {
  override def toString: String =
    (s"chosen: $chosen" +: rejected.map(plan => s"rejected: $plan")).mkString("\n")
}

/** A range whose bounds no level that still holds them can give exactly. */
final class NotAnswerable(
    val range: TimeRange,
    val nearest: Option[TimeRange],
    levels: Levels,
    horizon: Horizon
) extends Refusal(
      "RANGE_NOT_ANSWERABLE", {
        val kept = (0 until levels.count)
          .map { level =>
            val name = levels.granularity(level).name
            val from = horizon.from(level)
            if (from == Long.MinValue) s"$name from the beginning" else s"$name from ${Instants.show(from)}"
          }
          .mkString(", ")
        val remedy = nearest match {
          case Some(wider) => s"Widen to $wider."
          case None => "Nothing of it is kept; ask for later instants or lengthen the retention."
        }
        s"$range cannot be answered exactly: the wheel keeps $kept. $remedy"
      }
    )
