package io.paddlewheel.window

import io.paddlewheel.column.{Cells, Schema}
import io.paddlewheel.sharing.{Charge, CostModel, Relation, SharingPlan}
import io.paddlewheel.time.{Fixed, Granularity, Instants, Levels}
import io.paddlewheel.wheel.Wheel

/** All windows of a spec, checked against its levels, with the plan by which they share slices. Made once; each key has
  * its own [[Windows]]. The windows of all keys share what they only need while they are worked on: one thread at a time.
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
      case (name, Window.Tumbling(grid)) => OnGrid(grid, None, reads.tumbling(name, grid))
      case (name, Window.Cumulative(grid, step)) =>
        OnGrid(grid, Some(step), reads.cumulative(name, grid, step))
      case (name, Window.Session(gap)) => Gaps(gap, reads.session(name, gap))
    }
  }

  private val instance = Cells(schema, 1)
  private val slice = Cells(schema, 1)

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
        case None => slides.map { case (w, s) => reads(wheel, Seq(emitters(w)), s) }
        case Some(plan) => shared(wheel, emitters, slides, plan)
      }
    }
    val others = shapes.zip(emitters).collect {
      case (OnGrid(grid, step, read), emitter) => new GridWindows(wheel, grid, step, emitter, read)
      case (Gaps(gap, read), emitter) => new Sessions(wheel, gap, emitter, read)
    }
    new Windows(wheel, emitters, hops ++ others, emitted)
  }

  /** From when on the windows that end after `emitted` need the slots of a level; `emitted` if no window reads it. */
  def neededFrom(level: Int, emitted: Long): Long =
    if (emitted <= Instants.Min) Instants.Min
    else
      shapes.iterator
        .filter(_.read.level == level)
        .map(_.earliestAfter(emitted, if (emission == Emission.Changed) 1 else 0))
        .foldLeft(emitted)(math.min(_, _))

  /** The latest end of a window that contains the base slot with that start; `Instants.Min` if there are none. */
  def lastEnd(slot: Long): Long = shapes.iterator.map(_.lastEnd(slot)).foldLeft(Instants.Min)(math.max(_, _))

  /** Calls `visit` with the bounds of each instance of a window that contains the base slot and ends after `after`, in
    * time order. Not for sessions, whose bounds are not given by one slot.
    */
  def instances(window: Int, slot: Long, after: Long)(visit: (Long, Long) => Unit): Unit =
    shapes(window).instances(slot, after, visit)

  /** Makes position 0 of `into` the value of an instance, complete or not; whether it has data. */
  def read(window: Int, wheel: Wheel, start: Long, end: Long, into: Cells): Boolean = {
    schema.clear(into, 0)
    wheel.foldOpen(into, 0, shapes(window).read.level, start, end)
  }

  private def reads(wheel: Wheel, emitters: Seq[Emitter], s: Slide): Turning =
    new HopReads(wheel, s.range, s.slide, emitters, s.read, instance)

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
      def slices = step.parent match {
        case None => new PairedSlices(wheel, range, slide, read, slice)
        case Some(parent) =>
          new SharedSlices(wheel, parent.range * unit, parent.slide * unit, instances(parent), read, slice)
      }
      // Two windows of one shape are one queue with two emitters; a factor window has none.
      val asked = slides.collect { case (w, s) if s.hop == step.window => emitters(w) }
      val serves = instances.get(step.window)
      if (serves.isEmpty && step.window.range <= FewSlots)
        new HopReads(wheel, range, slide, asked, read, instance)
      else new HopStacks(wheel, range, slide, asked, read, instance, slices, serves.orNull)
    }
  }
}

private object WindowSet {

  /** So many slots are merged again for each instance before a queue of them pays. */
  private val FewSlots = 6L

  /** Two stacks touch a slice when it comes and when it goes, not once for every window it is in. */
  private val cost = CostModel(charge = Charge.Rolling)

  /** How a window of the set is computed, and where its instances lie. */
  private sealed trait Shape {
    def read: LevelRead

    /** Start of the first instance that ends after the instant, or of one that is `before` it. */
    def earliestAfter(instant: Long, before: Int): Long
    def lastEnd(slot: Long): Long
    def instances(slot: Long, after: Long, visit: (Long, Long) => Unit): Unit
  }

  /** By the plan of all windows that slide over a level. */
  private final case class Slides(slides: Slide) extends Shape {
    import slides.{range, slide}
    def read: LevelRead = slides.read

    def earliestAfter(instant: Long, before: Int): Long =
      (Math.floorDiv(instant - range, slide) + 1 - before) * slide

    def lastEnd(slot: Long): Long = Math.floorDiv(slot, slide) * slide + range

    def instances(slot: Long, after: Long, visit: (Long, Long) => Unit): Unit = {
      var k = Math.floorDiv(math.max(slot, after) - range, slide) + 1
      while (k * slide <= slot) {
        visit(k * slide, k * slide + range)
        k += 1
      }
    }
  }

  private final case class OnGrid(grid: Granularity, step: Option[Long], read: LevelRead) extends Shape {

    def earliestAfter(instant: Long, before: Int): Long = {
      val slot = grid.slotOf(instant)
      grid.start(if (step.isEmpty) slot - before else slot)
    }

    def lastEnd(slot: Long): Long = grid.end(grid.slotOf(slot))

    def instances(slot: Long, after: Long, visit: (Long, Long) => Unit): Unit = {
      val start = grid.floor(slot)
      val close = lastEnd(slot)
      val length = step.getOrElse(close - start)
      var end = start + (Math.floorDiv(math.max(slot, after) - start, length) + 1) * length
      while (end - length < close) {
        if (math.min(end, close) > after) visit(start, math.min(end, close))
        end += length
      }
    }
  }

  private final case class Gaps(gap: Long, read: LevelRead) extends Shape {
    def earliestAfter(instant: Long, before: Int): Long = Instants.Min
    def lastEnd(slot: Long): Long = slot + gap
    def instances(slot: Long, after: Long, visit: (Long, Long) => Unit): Unit = ()
  }
}
