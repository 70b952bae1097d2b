package io.paddlewheel.window

import io.paddlewheel.column.Schema
import io.paddlewheel.sharing.{Charge, CostModel, Relation, SharingPlan}
import io.paddlewheel.time.{Fixed, Levels}
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
  import WindowSet._

  private val shapes: IndexedSeq[Shape] = {
    val reads = new WindowReads(levels, emission)
    windows.map {
      case (name, Window.Sliding(range, slide)) => Slides(reads.slide(name, range, slide))
      case (name, Window.Tumbling(Fixed(size, 0))) => Slides(reads.slide(name, size, size))
      case (name, Window.Tumbling(grid)) =>
        val read = reads.tumbling(name, grid)
        Alone((wheel, emitter) => new GridWindows(wheel, grid, None, emitter, read))
      case (name, Window.Cumulative(grid, step)) =>
        val read = reads.cumulative(name, grid, step)
        Alone((wheel, emitter) => new GridWindows(wheel, grid, Some(step), emitter, read))
      case (name, Window.Session(gap)) =>
        val read = reads.session(name, gap)
        Alone((wheel, emitter) => new Sessions(wheel, gap, emitter, read))
    }
  }

  /** The sliding windows by the level they read, with their places in [[windows]]. */
  private val sliding: Seq[(Int, IndexedSeq[(Int, Slide)])] =
    shapes.zipWithIndex
      .collect { case (Slides(slide), w) => (w, slide) }
      .groupBy(_._2.read.level)
      .toSeq
      .sortBy(_._1)

  /** How the sliding windows that read a level share its slots. Where ranges are differences of running totals nothing
    * is gained by sharing, and there are no plans.
    */
  val sharing: Map[Int, SharingPlan] =
    if (schema.invertible) Map.empty
    else {
      val relation = if (schema.idempotent) Relation.CoveredBy else Relation.PartitionedBy
      sliding.map { case (level, slides) =>
        level -> SharingPlan.best(slides.map(_._2.hop), relation, WindowSet.cost)
      }.toMap
    }

  /** The working state for one key, for windows that end after `emitted`. */
  def of(wheel: Wheel, emitted: Long): Windows = {
    val emitters = windows.indices.map(new Emitter(schema, _, emission))
    val hops = sliding.flatMap { case (level, slides) =>
      sharing.get(level) match {
        case None => slides.map { case (w, s) => differences(wheel, Seq(emitters(w)), s) }
        case Some(plan) => shared(wheel, emitters, slides, plan)
      }
    }
    val others = shapes.zip(emitters).collect { case (Alone(made), emitter) => made(wheel, emitter) }
    new Windows(wheel, emitters, hops ++ others, emitted)
  }

  private def differences(wheel: Wheel, emitters: Seq[Emitter], s: Slide): Turning =
    new HopDifferences(wheel, s.range, s.slide, emitters, s.read)

  private def shared(
      wheel: Wheel,
      emitters: IndexedSeq[Emitter],
      slides: IndexedSeq[(Int, Slide)],
      plan: SharingPlan
  ): Seq[Turning] = {
    val Slide(_, _, unit, read) = slides.head._2
    val parents = plan.steps.flatMap(_.parent).distinct
    val instances = parents.map(_ -> new Instances(schema)).toMap
    plan.steps.map { step =>
      val (range, slide) = (step.window.range * unit, step.window.slide * unit)
      val slices = step.parent match {
        case None => new PairedSlices(wheel, range, slide, read)
        case Some(parent) =>
          new SharedSlices(wheel, parent.range * unit, parent.slide * unit, instances(parent), read)
      }
      // Two windows of one shape are one queue with two emitters; a factor window has none.
      val asked = slides.collect { case (w, s) if s.hop == step.window => emitters(w) }
      new HopStacks(wheel, range, slide, asked, read, slices, instances.getOrElse(step.window, null))
    }
  }
}

private object WindowSet {

  /** Two stacks touch a slice when it comes and when it goes, not once for every window it is in. */
  private val cost = CostModel(charge = Charge.Rolling)

  /** How a window of the set is computed. */
  private sealed trait Shape

  /** By the plan of all windows that slide over a level. */
  private final case class Slides(slide: Slide) extends Shape

  private final case class Alone(made: (Wheel, Emitter) => Turning) extends Shape
}
