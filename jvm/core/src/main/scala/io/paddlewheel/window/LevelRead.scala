package io.paddlewheel.window

import io.paddlewheel.column.Cells
import io.paddlewheel.time.Levels
import io.paddlewheel.wheel.Wheel

/** Reads spans from one level. Their bounds MUST be slot edges of it, and not after the watermark. */
private[window] final class LevelRead(levels: Levels, val level: Int) {
  private val grid = levels.granularity(level)

  /** Makes position 0 the aggregate of `[start, end)`; whether there is any data. */
  def apply(wheel: Wheel, start: Long, end: Long, into: Cells): Boolean = {
    val from = grid.slotOf(start)
    val until = grid.slotOf(end)
    val fromRotation = levels.rotationOf(level, from)
    val untilRotation = levels.rotationOf(level, until)
    wheel.schema.clear(into, 0)
    wheel.fold(
      into,
      0,
      level,
      fromRotation,
      (from - levels.firstSlot(level, fromRotation)).toInt,
      untilRotation,
      (until - levels.firstSlot(level, untilRotation)).toInt
    )
  }
}
