package io.paddlewheel.window

import io.paddlewheel.column.Cells
import io.paddlewheel.wheel.Wheel

/** The pieces of time that the instances of a window are put together from. */
private[window] trait Slices {

  /** Called first in each advance, with the instant up to which windows were found in earlier ones. */
  def begin(emitted: Long): Unit

  /** Pushes the slices with data that lie in `[from, until)`; the start of the first slice not yet pushed. Both bounds
    * are slice edges.
    */
  def feed(from: Long, until: Long, to: TwoStacks): Long
}

/** Slices between all starts and ends of a window's instances: one per slide, or a pair. */
private[window] final class PairedSlices(wheel: Wheel, range: Long, slide: Long, read: LevelRead) extends Slices {
  private val second = range % slide

  def begin(emitted: Long): Unit = ()
  private val value = Cells(wheel.schema, 1)

  def feed(from: Long, until: Long, to: TwoStacks): Long = {
    var start = from
    while (start < until) {
      val phase = Math.floorMod(start, slide)
      val end = start + (if (phase < second) second - phase else slide - phase)
      wheel.schema.clear(value, 0)
      if (read(wheel, start, end, value)) to.push(start, value, 0)
      start = end
    }
    start
  }
}

/** The instances of another window, which are computed once and serve several. They may overlap: then merging one slot
  * twice must not matter.
  */
private[window] final class SharedSlices(
    wheel: Wheel,
    range: Long,
    slide: Long,
    instances: Instances,
    read: LevelRead
) extends Slices {
  private val value = Cells(wheel.schema, 1)
  private var emitted = Long.MinValue

  def begin(emitted: Long): Unit = this.emitted = emitted

  def feed(from: Long, until: Long, to: TwoStacks): Long = {
    var start = from
    while (start + range <= until) {
      // Earlier instances are asked for only after a forget; they are read from the wheel again.
      if (start + range > emitted) {
        val at = instances.find(start)
        if (at >= 0) to.push(start, instances.cells, at)
      } else {
        wheel.schema.clear(value, 0)
        if (read(wheel, start, start + range, value)) to.push(start, value, 0)
      }
      start += slide
    }
    start
  }
}
