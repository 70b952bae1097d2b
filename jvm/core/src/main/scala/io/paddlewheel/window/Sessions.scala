package io.paddlewheel.window

import io.paddlewheel.column.Cells
import io.paddlewheel.time.Instants
import io.paddlewheel.wheel.Wheel

/** Sessions are found in the bitmaps of the base level; the values of one are read when it closes. */
private[window] final class Sessions(wheel: Wheel, gap: Long, emitter: Emitter, read: RangeRead) extends Turning {
  private val value = Cells(wheel.schema, 1)
  private var known = false
  // Slots before this belong to sessions that have closed.
  private var closed = Instants.Min
  // First and last slot of the open session, as far as it was followed.
  private var first = Long.MaxValue
  private var last = Long.MaxValue

  def advance(emitted: Long, until: Long): Unit = {
    if (!known) recover(emitted)
    if (first == Long.MaxValue) open(closed)
    while (first < until && { follow(); last + gap <= until }) {
      read(first, wheel.levels.base.end(wheel.levels.base.slotOf(last)), value)
      emitter.offer(first, last + gap, Long.MinValue, value)
      closed = last + gap
      open(closed)
    }
  }

  private def open(from: Long): Unit = {
    first = wheel.nextSlot(from).getOrElse(Long.MaxValue)
    last = first
  }

  /** Moves `last` on as long as the next slot is near enough. */
  private def follow(): Unit = {
    var next = wheel.nextSlot(last + 1)
    while (next.exists(_ < last + gap)) {
      last = next.get
      next = wheel.nextSlot(last + 1)
    }
  }

  /** Finds the end of the last session that had closed by then: the slots before it are never looked at again. */
  private def recover(emitted: Long): Unit = {
    if (emitted > Instants.Min) {
      var end = emitted
      var before = wheel.previousSlot(emitted)
      while (before.exists(slot => slot + gap > end)) {
        end = before.get
        before = wheel.previousSlot(end)
      }
      closed = before.fold(Instants.Min)(_ + gap)
    }
    first = Long.MaxValue
    known = true
  }

  /** A late slot may come before the open session, or bridge a gap in it; what has closed stays closed. */
  def forget(): Unit = first = Long.MaxValue

  override def needsFrom: Long = first
}
