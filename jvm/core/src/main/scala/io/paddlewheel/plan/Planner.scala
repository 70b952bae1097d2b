package io.paddlewheel.plan

import scala.collection.immutable.ArraySeq

import io.paddlewheel.{Refusal, TimeRange}
import io.paddlewheel.column.Schema
import io.paddlewheel.time.{Instants, Levels}

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

  /** The plans that nothing can be cheaper than, found without weighing: the total of everything, and, where all columns
    * have running totals, one difference on the coarsest level that has both bounds. Null where neither will do.
    */
  private def shortcut(range: TimeRange, horizon: Horizon): Plan = {
    val complete = range.end <= horizon.watermark
    if (range.start <= horizon.first && range.end >= horizon.last && horizon.first < horizon.last)
      Plan(range, Candidate.Landmark, Planner.landmark, costs.landmark, complete)
    else if (!schema.invertible || range.isEmpty || range.start < Instants.Min || range.end > Instants.Max)
      null
    else {
      var from = levels.base.slotOf(range.start)
      var until = levels.base.slotOf(range.end)
      if (levels.base.start(from) != range.start || levels.base.start(until) != range.end) null
      else {
        // A slot starts where its parent does if it is the first of its rotation, and the parent is the rotation.
        var level = 0
        var fromRotation = levels.rotationOf(0, from)
        var untilRotation = levels.rotationOf(0, until)
        while (
          level < levels.top && range.end <= horizon.until(level + 1) &&
          levels.firstSlot(level, fromRotation) == from && levels.firstSlot(level, untilRotation) == until
        ) {
          from = fromRotation
          until = untilRotation
          level += 1
          fromRotation = levels.rotationOf(level, from)
          untilRotation = levels.rotationOf(level, until)
        }
        if (range.start < horizon.from(level)) null
        else {
          val span = Piece.Span(level, from, until, operation)(levels, fromRotation, untilRotation)
          Plan(range, levelAlone(level), new ArraySeq.ofRef(Array[Piece](span)), spanCost, complete)
        }
      }
    }
  }

  private def weigh(range: TimeRange, horizon: Horizon): Explanation = {
    val complete = range.end <= horizon.watermark
    val nothing = range.isEmpty || range.end <= horizon.first || range.start >= horizon.last
    if (nothing) Explanation(Plan(range, Candidate.Nothing, ArraySeq.empty[Piece], 0, complete), Nil)
    else {
      val open = Bounds.of(range, horizon)
      // Coarser levels first: of equal costs the first wins.
      val byLevels = (levels.top to 0 by -1).flatMap { top =>
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
      Some(Plan(range, Candidate.Landmark, Planner.landmark, costs.landmark, complete))
    else if (schema.subtractable && (open.fromFirst || open.toLast)) {
      val all = Bounds.of(TimeRange(horizon.first, horizon.last), horizon)
      val (start, end) = if (open.fromFirst) (open.end, all.end) else (all.start, open.start)
      val rests = (0 until levels.count).flatMap(cover(start, end, _, horizon))
      rests.minByOption(cost).map { rest =>
        val pieces = Piece.Landmark +: rest.map(_.by(Operation.Subtract): Piece)
        Plan(range, Candidate.LandmarkMinusRest, pieces, costs.landmark + cost(rest), complete)
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

  private def clamp(instant: Long): Long = math.max(Instants.Min, math.min(Instants.Max, instant))
}

private object Planner {
  private val landmark: ArraySeq[Piece] = ArraySeq(Piece.Landmark)
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
    val end = if (toLast) lastEdge(horizon) else range.end
    Bounds(start, end, fromFirst, toLast)
  }

  /** Where the last slot ends, at the finest level that still holds it: all of it was sealed before finer ones let go. */
  private def lastEdge(horizon: Horizon): Long = {
    val grids = (0 until horizon.levels.count).map(horizon.levels.granularity)
    val held = grids.indices.find(level => horizon.from(level) <= grids(level).floor(horizon.last - 1))
    held.fold(horizon.last)(grids(_).ceil(horizon.last))
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
