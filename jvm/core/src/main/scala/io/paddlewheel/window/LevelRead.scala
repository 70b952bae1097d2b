package io.paddlewheel.window

import io.paddlewheel.column.Cells
import io.paddlewheel.time.Levels
import io.paddlewheel.wheel.Wheel

/** Reads spans from one level. Their bounds MUST be slot edges of it, and not after the watermark. */
private[window] final class LevelRead(levels: Levels, val level: Int) {
  private val grid = levels.granularity(level)

  /** Makes position 0 the aggregate of `[start, end)`; whether there is any data. */
  def apply(wheel: Wheel, start: Long, end: Long, into: Cells): Boolean = {
    wheel.schema.clear(into, 0)
    wheel.fold(into, 0, level, grid.slotOf(start), grid.slotOf(end))
  }
}
