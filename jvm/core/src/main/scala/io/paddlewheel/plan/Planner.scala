package io.paddlewheel.plan

import scala.collection.immutable.ArraySeq

import io.paddlewheel.{Refusal, TimeRange}
import io.paddlewheel.column.Schema
import io.paddlewheel.time.{Instants, Levels}

/** Finds the cheapest way to answer a range exactly. */
final class Planner(levels: Levels, schema: Schema, costs: Costs = Costs.fitted) {
  private val (spanCost, slotCost) = costs.of(schema)
  private val operation = if (schema.invertible) Operation.Difference else Operation.Fold

  /** The cheapest plan, or [[NotAnswerable]]. */
  def plan(range: TimeRange, horizon: Horizon): Plan =
    shortcut(range, horizon) match {
      case null => weigh(range, horizon).chosen
      case found => found
    }

  /** As [[plan]], with the candidates that lost. */
  def explain(range: TimeRange, horizon: Horizon): Explanation = weigh(range, horizon)

  /** The smallest range around this one that can be answered exactly, or the nearest to it if what lies before has been
    * dropped; none if nothing of it is left.
    */
  def nearest(range: TimeRange, horizon: Horizon): Option[TimeRange] = {
    val starts = (0 until levels.count).map(l => (l, levels.granularity(l).floor(clamp(range.start))))
    val start = starts
      .collect { case (l, floor) if floor >= horizon.from(l) => floor }
      .maxOption
      .getOrElse(horizon.from.min)
    val ends = (0 until levels.count).map(l => (l, levels.granularity(l).ceil(clamp(range.end))))
    val end = ends.collect {
      case (l, ceil) if ceil > horizon.from(l) && ceil <= horizon.until(l) => ceil
    }.minOption
    end.filter(_ > start).map(TimeRange(start, _))
  }

  /** Where all columns have running totals and one level has both bounds, one difference answers, and nothing is
    * cheaper. Null where this does not hold.
    */
  private def shortcut(range: TimeRange, horizon: Horizon): Plan = {
    val start = range.start
    val end = range.end
    if (!schema.invertible || start <= horizon.first || end >= horizon.last || start == end) null
    else if (!levels.base.isAligned(start) || !levels.base.isAligned(end)) null
    else {
      var level = 0
      while (level < levels.top && end <= horizon.until(level + 1) && alignedAt(level + 1, start, end))
        level += 1
      if (start < horizon.from(level)) null
      else {
        val piece = span(level, start, end)
        Plan(range, Candidate.OneLevel(level), ArraySeq(piece), spanCost, end <= horizon.watermark)
      }
    }
  }

  private def alignedAt(level: Int, start: Long, end: Long): Boolean = {
    val grid = levels.granularity(level)
    grid.isAligned(start) && grid.isAligned(end)
  }

  private def weigh(range: TimeRange, horizon: Horizon): Explanation = {
    val complete = range.end <= horizon.watermark
    val nothing = range.isEmpty || range.end <= horizon.first || range.start >= horizon.last
    if (nothing) Explanation(Plan(range, Candidate.Nothing, Nil, 0, complete), Nil)
    else {
      val open = Bounds.of(range, horizon)
      val byLevels = (0 until levels.count).flatMap { top =>
        cover(open.start, open.end, top, horizon).map { spans =>
          val candidate =
            if (spans.forall(_.level == top)) Candidate.OneLevel(top) else Candidate.CombinedLevels(top)
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
      Some(Plan(range, Candidate.Landmark, ArraySeq(Piece.Landmark), costs.landmark, complete))
    else if (schema.subtractable && (open.fromFirst || open.toLast)) {
      val all = Bounds.of(TimeRange(horizon.first, horizon.last), horizon)
      val (start, end) = if (open.fromFirst) (open.end, all.end) else (all.start, open.start)
      val rests = (0 until levels.count).flatMap(cover(start, end, _, horizon))
      rests.minByOption(cost).map { rest =>
        val pieces = Piece.Landmark +: rest.map(_.copy(operation = Operation.Subtract))
        Plan(range, Candidate.LandmarkMinusRest, ArraySeq.from(pieces), costs.landmark + cost(rest), complete)
      }
    } else None

  /** Covers a range with slots of the levels up to `top`, the coarsest wherever they fit; none if that cannot be done
    * exactly. Pieces are in time order.
    */
  private def cover(start: Long, end: Long, top: Int, horizon: Horizon): Option[ArraySeq[Piece.Span]] =
    if (!levels.base.isAligned(start) || !levels.base.isAligned(end)) None
    else {
      val heads = ArraySeq.newBuilder[Piece.Span]
      var tails = List.empty[Piece.Span]
      var from = start
      var until = end
      var level = 0
      var held = true

      def take(begin: Long, stop: Long): Piece.Span = {
        held &= begin >= horizon.from(level)
        span(level, begin, stop)
      }

      var done = from >= until
      while (!done) {
        val coarser = if (level < top) levels.granularity(level + 1) else null
        val up = if (coarser == null) Long.MaxValue else coarser.ceil(from)
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
    Piece.Span(levels, level, grid.slotOf(start), grid.slotOf(end), operation)
  }

  private def cost(spans: Seq[Piece.Span]): Double =
    spans.iterator.map(span => spanCost + slotCost * span.slots).sum

  private def clamp(instant: Long): Long = math.max(Instants.Min, math.min(Instants.Max, instant))
}

/** A range as the wheels see it: a bound beyond all data is moved to where levels align. */
private final case class Bounds(start: Long, end: Long, fromFirst: Boolean, toLast: Boolean)

private object Bounds {

  def of(range: TimeRange, horizon: Horizon): Bounds = {
    val levels = horizon.levels
    val fromFirst = range.start <= horizon.first
    val toLast = range.end >= horizon.last
    // A slot start of the top level is one of every level.
    val start = if (fromFirst) levels.granularity(levels.top).floor(horizon.first) else range.start
    val end = if (toLast) horizon.last else range.end
    Bounds(start, end, fromFirst, toLast)
  }
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
