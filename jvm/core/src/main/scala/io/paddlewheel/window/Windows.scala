package io.paddlewheel.window

import io.paddlewheel.wheel.Wheel

/** The windows of one key over its wheel.
  *
  * After each advance of the wheel, and before it expires anything, call [[advance]]. When the wheel took a value for
  * a sealed slot, call [[forget]] first: what was worked out from it is worked out again. Nothing here is ever stored.
  */
final class Windows private[window] (
    wheel: Wheel,
    emitters: IndexedSeq[Emitter],
    turnings: Seq[Turning],
    private var done: Long
) {

  // All windows end at edges of base slots: before the next edge there is nothing to give out.
  private var quietUntil = Long.MinValue

  /** Windows that end at or before this have been given out. */
  def emitted: Long = done

  /** Gives out the windows that the wheel's watermark has passed since the last call. */
  def advance(sink: Sink): Unit = {
    val until = wheel.watermark
    if (until >= quietUntil && until > done) {
      emitters.foreach(_.begin(sink))
      turnings.foreach(_.advance(done, until))
      emitters.foreach(_.finish())
      quietUntil = wheel.levels.base.end(wheel.levels.base.slotOf(until))
    }
    done = math.max(done, until)
  }

  /** The earliest end, after `instant`, of a window that has data or needs it; `Long.MaxValue` if there is none. */
  def nextEnd(instant: Long = done): Long =
    turnings.iterator.map(_.nextEnd(instant)).minOption.getOrElse(Long.MaxValue)

  def forget(): Unit = turnings.foreach(_.forget())

  /** What the wheel must still keep of its base level, whatever its retention: the sessions that are open. */
  def needsFrom: Long = turnings.iterator.map(_.needsFrom(done)).minOption.getOrElse(Long.MaxValue)
}
