package io.paddlewheel.wheel

import io.paddlewheel.time.Levels

/** What a watermark means for the levels: which rotations are still open and which retention has let go. Made once and
  * applied to every wheel.
  */
final class Turn(val levels: Levels, val watermark: Long) {

  /** The rotation of each level that contains the watermark. Those before it are sealed. */
  val open: Array[Long] = new Array(levels.count)

  /** Start of the oldest rotation kept at each level. */
  val heldFrom: Array[Long] = new Array(levels.count)

  /** The oldest rotation kept at each level. */
  private[wheel] val oldest: Array[Long] = new Array(levels.count)

  {
    // A wheel on its own makes a turn for every rotation of its base.
    var level = 0
    while (level < levels.count) {
      open(level) = levels.rotationOf(level, levels.granularity(level).slotOf(watermark))
      heldFrom(level) = levels.heldFrom(level, watermark)
      oldest(level) = levels.rotationAt(level, heldFrom(level))
      level += 1
    }
  }

  /** Before this instant no further rotation is sealed, and none is let go. */
  val until: Long = heldFrom.indices.foldLeft(levels.rotationEnd(0, open(0)))(steadyUntil)

  /** The first watermark at which the level lets a rotation go, or `end` if that is earlier. */
  private def steadyUntil(end: Long, level: Int): Long = {
    def steady(at: Long) = levels.heldFrom(level, at) == heldFrom(level)
    if (steady(end - 1)) end
    else {
      var same = watermark
      var other = end - 1
      while (other - same > 1) {
        val middle = same + (other - same) / 2
        if (steady(middle)) same = middle else other = middle
      }
      other
    }
  }
}
