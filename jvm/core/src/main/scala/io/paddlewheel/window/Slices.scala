package io.paddlewheel.window

import io.paddlewheel.column.Cells
import io.paddlewheel.wheel.Wheel

/** The pieces of time that the instances of a window are put together from. */
private[window] trait Slices {

  /** Pushes the slices with data that lie in `[from, until)`; the start of the first slice not yet pushed.
    *
    * @param emitted windows that end at or before this were found in earlier advances
    * @param from    a slice edge
    */
  def feed(emitted: Long, from: Long, until: Long, to: TwoStacks): Long
}

/** Slices between all starts and ends of a window's instances: one per slide, or a pair. */
private[window] final class PairedSlices(
    wheel: Wheel,
    range: Long,
    slide: Long,
    read: LevelRead,
    value: Cells
) extends Slices {
  private val second = range % slide

  def feed(emitted: Long, from: Long, until: Long, to: TwoStacks): Long = {
    var start = from
    var end = edgeAfter(start)
    while (end <= until) {
      if (read(wheel, start, end, value)) {
        to.push(start, value, 0)
        start = end
      } else start = math.max(end, edgeUpTo(math.min(until, nextData(end))))
      end = edgeAfter(start)
    }
    start
  }

  private def nextData(instant: Long): Long = wheel.nextSlot(instant, read.level).getOrElse(Long.MaxValue)

  /** The last edge that is not after the instant. */
  private def edgeUpTo(instant: Long): Long = {
    val phase = Math.floorMod(instant, slide)
    instant - phase + (if (phase < second) 0 else second)
  }

  private def edgeAfter(edge: Long): Long = {
    val phase = Math.floorMod(edge, slide)
    edge - phase + (if (phase < second) second else slide)
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
    read: LevelRead,
    value: Cells
) extends Slices {

  def feed(emitted: Long, from: Long, until: Long, to: TwoStacks): Long = {
    var start = from
    while (start + range <= until) {
      // Those of earlier advances are asked for only after a forget or a restart; they are read from the wheel again.
      if (start + range > emitted) {
        val at = instances.find(start)
        if (at >= 0) to.push(start, instances.cells, at)
      } else if (read(wheel, start, start + range, value)) to.push(start, value, 0)
      start += slide
    }
    start
  }
}
