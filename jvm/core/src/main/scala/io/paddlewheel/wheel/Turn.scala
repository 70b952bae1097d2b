package io.paddlewheel.wheel

import io.paddlewheel.time.{Instants, Levels}

/** What a watermark means for the levels: which rotations are still open and which retention has let go. Made once and
  * applied to every wheel.
  */
final class Turn(val levels: Levels, val watermark: Long) {

  /** The rotation of each level that contains the watermark. Those before it are sealed. */
  val open: Array[Long] = Array.tabulate(levels.count) { level =>
    levels.rotationOf(level, levels.granularity(level).slotOf(watermark))
  }

  /** Start of the oldest rotation kept at each level. */
  val heldFrom: Array[Long] = Array.tabulate(levels.count)(levels.heldFrom(_, watermark))

  /** Before this instant no further rotation is sealed. */
  val until: Long = levels.rotationEnd(0, open(0))

  /** The oldest rotation kept at each level. */
  private[wheel] val oldest: Array[Long] =
    Array.tabulate(levels.count)(level => rotationAt(level, heldFrom(level)))

  /** The rotation of a level that contains the instant. */
  private[wheel] def rotationAt(level: Int, instant: Long): Long =
    if (instant <= Instants.Min) Long.MinValue
    else levels.rotationOf(level, levels.granularity(level).slotOf(instant))
}
