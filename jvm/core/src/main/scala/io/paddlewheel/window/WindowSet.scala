package io.paddlewheel.window

import io.paddlewheel.Refusal
import io.paddlewheel.column.Schema
import io.paddlewheel.plan.Planner
import io.paddlewheel.sharing.{Hop, Relation, SharingPlan}
import io.paddlewheel.time.{Fixed, Granularity, Levels}
import io.paddlewheel.wheel.Wheel

/** All windows of a spec, checked against its levels, with the plan by which they share slices. Made once; each key has
  * its own [[Windows]].
  */
final class WindowSet(
    val levels: Levels,
    val schema: Schema,
    val windows: IndexedSeq[(String, Window)],
    val emission: Emission = Emission.Every
) {
  private val planner = new Planner(levels, schema)

  private val slides: IndexedSeq[Option[Slide]] = windows.map {
    case (name, Window.Sliding(range, slide)) =>
      WindowSet.refuseSlide(name, range, slide)
      Some(Slide(range, slide, LevelRead.of(levels, Hop(range, slide).grain, range, s"Window '$name'")))
    case (name, Window.Tumbling(Fixed(size, 0))) =>
      Some(Slide(size, size, LevelRead.of(levels, size, size, s"Window '$name'")))
    case (name, Window.Tumbling(grid)) =>
      WindowSet.refuseGrid(name, grid, None, levels)
      None
    case (name, Window.Cumulative(grid, step)) =>
      WindowSet.refuseGrid(name, grid, Some(step), levels)
      None
    case (name, Window.Session(gap)) =>
      WindowSet.refuseGap(name, gap, levels)
      None
  }

  /** How the sliding windows that read a level share its slots. Where ranges are differences of running totals nothing
    * is gained by sharing, and there are no plans.
    */
  val sharing: Map[Int, SharingPlan] =
    if (schema.invertible) Map.empty
    else
      slides.flatten.groupBy(_.read.level).map { case (level, sliding) =>
        val relation = if (schema.idempotent) Relation.CoveredBy else Relation.PartitionedBy
        level -> SharingPlan.best(sliding.map(_.hop), relation)
      }

  /** The working state for one key, for windows that end after `emitted`. */
  def of(wheel: Wheel, emitted: Long): Windows = {
    val emitters = windows.indices.map(new Emitter(schema, _, emission))
    val ranges = new RangeRead(planner, wheel)
    val others = windows.indices.flatMap { w =>
      windows(w)._2 match {
        case Window.Session(gap)           => Some(new Sessions(wheel, gap, emitters(w), ranges))
        case Window.Cumulative(grid, step) => Some(new GridWindows(wheel, grid, Some(step), emitters(w), ranges))
        case Window.Tumbling(grid) if slides(w).isEmpty =>
          Some(new GridWindows(wheel, grid, None, emitters(w), ranges))
        case _ => None
      }
    }
    new Windows(wheel, emitters, hops(wheel, emitters) ++ others, ranges, emitted)
  }

  private def hops(wheel: Wheel, emitters: IndexedSeq[Emitter]): Seq[Turning] =
    if (schema.invertible)
      windows.indices.flatMap(w =>
        slides(w).map(s => new HopDifferences(wheel, s.range, s.slide, Seq(emitters(w)), s.read))
      )
    else sharing.toSeq.sortBy(_._1).flatMap { case (level, plan) => shared(wheel, emitters, level, plan) }

  private def shared(
      wheel: Wheel,
      emitters: IndexedSeq[Emitter],
      level: Int,
      plan: SharingPlan
  ): Seq[Turning] = {
    val unit = slides.flatten.find(_.read.level == level).get.read.size
    val parents = plan.steps.flatMap(_.parent).distinct
    val instances = parents.map(_ -> new Instances(schema)).toMap
    plan.steps.map { step =>
      val (range, slide) = (step.window.range * unit, step.window.slide * unit)
      val read = new LevelRead(levels, level, unit)
      val asked = windows.indices.filter(w => slides(w).exists(s => s.read.level == level && s.hop == step.window))
      val slices = step.parent match {
        case None => new PairedSlices(wheel, range, slide, read)
        case Some(parent) =>
          new SharedSlices(wheel, parent.range * unit, parent.slide * unit, instances(parent), read)
      }
      // Two windows of one shape are one queue with two emitters; a factor window has none.
      new HopStacks(wheel, range, slide, asked.map(emitters), slices, instances.getOrElse(step.window, null))
    }
  }
}

/** A window that slides, and the level it reads. */
private[window] final case class Slide(range: Long, slide: Long, read: LevelRead) {
  def hop: Hop = Hop(range / read.size, slide / read.size)
}

private object WindowSet {

  private def refuseSlide(name: String, range: Long, slide: Long): Unit =
    if (slide < 1 || slide > range)
      throw new Refusal(
        "WINDOW_SLIDE",
        s"Window '$name' has a range of $range and a slide of $slide microseconds. " +
          "The slide must be longer than nothing and no longer than the range."
      )

  private def refuseGap(name: String, gap: Long, levels: Levels): Unit =
    levels.base match {
      case Fixed(size, _) if gap > 0 && gap % size == 0 => ()
      case base =>
        throw new Refusal(
          "WINDOW_NOT_A_MULTIPLE",
          s"The gap of window '$name', $gap microseconds, is not a multiple of the base, ${base.name}. " +
            "Round it, or use a finer base level."
        )
    }

  /** A window on a grid is read when it completes, by the coarsest level that has all its edges. */
  private def refuseGrid(name: String, grid: Granularity, step: Option[Long], levels: Levels): Unit = {
    val reading = (0 until levels.count).filter { level =>
      val fine = levels.granularity(level)
      val steps = (fine, step) match {
        case (_, None)                       => true
        case (Fixed(size, _), Some(length)) => length > 0 && length % size == 0
        case _                               => false
      }
      steps && Granularity.nests(fine, grid)
    }.lastOption
    reading match {
      case None =>
        throw new Refusal(
          "WINDOW_NOT_A_MULTIPLE",
          s"Window '$name' of ${grid.name}${step.fold("")(s => s" by $s microseconds")} is not made of whole slots of " +
            s"the base, ${levels.base.name}. Round it, or use a finer base level."
        )
      case Some(level) =>
        val length = grid.start(1) - grid.start(0)
        levels(level).retention.filter(_.before(0L, levels.zone) > -length).foreach { retention =>
          throw new Refusal(
            "WINDOW_BEYOND_RETENTION",
            s"Window '$name' of ${grid.name} reaches back further than level ${levels.granularity(level).name} is kept " +
              s"(${retention.name}). Lengthen that retention."
          )
        }
    }
  }
}
