package io.paddlewheel.plan

import io.paddlewheel.time.{Instants, Levels}
import io.paddlewheel.wheel.Wheel

/** What the planner knows of the wheels a plan is for: how far each level reaches, and between which instants there
  * can be data at all. One horizon serves all wheels of a watermark when `first` and `last` enclose those of each.
  */
final class Horizon(val levels: Levels, val watermark: Long, val first: Long, val last: Long) {

  /** From here on nothing of a level has been dropped. */
  val from: Array[Long] = Array.tabulate(levels.count) { level =>
    val held = levels.heldFrom(level, watermark)
    if (first >= held || held <= Instants.Min) Long.MinValue else held
  }

  /** Up to here a level knows everything. */
  val until: Array[Long] = Array.tabulate(levels.count) { level =>
    if (level == 0) Long.MaxValue
    else if (watermark <= Instants.Min) Long.MinValue
    else levels.granularity(level).floor(watermark)
  }
}

object Horizon {
  def of(wheel: Wheel): Horizon = new Horizon(wheel.levels, wheel.watermark, wheel.first, wheel.last)

  /** For wheels of one watermark; at least one. */
  def of(wheels: Iterable[Wheel]): Horizon =
    new Horizon(wheels.head.levels, wheels.head.watermark, wheels.map(_.first).min, wheels.map(_.last).max)
}
