package io.paddlewheel.window

import io.paddlewheel.column.Cells
import io.paddlewheel.time.Instants
import io.paddlewheel.wheel.Wheel

/** Sessions are found in the bitmaps of the base level; the values of one are read when it closes.
  *
  * Which sessions are open follows from the slots and from what was given out, and from nothing else: a restart must not
  * matter. So a late slot that is near enough to a closed session and not itself too late opens it again, as far as the
  * base level still holds it, and the longer session is given out when it closes.
  */
private[window] final class Sessions(wheel: Wheel, gap: Long, emitter: Emitter, read: LevelRead)
    extends Turning {
  private val base = wheel.levels.base
  private val value = Cells(wheel.schema, 1)
  private var known = false
  // Slots before this belong to sessions that have closed.
  private var closed = Instants.Min
  // First and last slot of the open session, as far as it was followed.
  private var first = Long.MaxValue
  private var last = Long.MaxValue

  def advance(emitted: Long, until: Long): Unit = {
    open(emitted)
    while (first < until && { follow(); last + gap <= until }) {
      read(wheel, first, base.end(base.slotOf(last)), value)
      emitter.offer(first, last + gap, Emitter.NoPredecessor, value)
      closed = last + gap
      open(emitted)
    }
  }

  /** Finds the first slot that is in no closed session. It may have come since the last time, before the one found. */
  private def open(emitted: Long): Unit = {
    if (!known) recover(emitted)
    val start = wheel.nextSlot(closed).getOrElse(Long.MaxValue)
    if (start != first) {
      first = start
      last = start
    }
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
    closed = Instants.Min
    if (emitted > Instants.Min) {
      var end = emitted
      var before = wheel.previousSlot(emitted)
      while (before.exists(slot => slot + gap > end)) {
        end = before.get
        before = wheel.previousSlot(end)
      }
      before.foreach(slot => closed = slot + gap)
    }
    first = Long.MaxValue
    last = Long.MaxValue
    known = true
  }

  def nextEnd(emitted: Long): Long = {
    open(emitted)
    if (first == Long.MaxValue) first
    else {
      follow()
      last + gap
    }
  }

  def forget(): Unit = known = false

  def needsFrom(emitted: Long): Long = {
    open(emitted)
    first
  }
}
