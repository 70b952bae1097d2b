package io.paddlewheel.window

import io.paddlewheel.time.{Granularity, Levels, Micros}

/** Whether a level still holds what a window needs when it completes, whatever the season: a month may have 28 days, a
  * day 23 hours.
  */
private[window] object Retained {

  /** The last `length` before every instant. */
  def back(levels: Levels, level: Int, length: Long): Boolean =
    levels(level).retention.forall { retention =>
      days.forall(now => retention.before(now, levels.zone) <= now - length)
    }

  /** The last `count` slots of a grid before every edge of it. */
  def slots(levels: Levels, level: Int, grid: Granularity, count: Int): Boolean =
    levels(level).retention.forall { retention =>
      days
        .map(grid.slotOf)
        .distinct
        .forall(slot => retention.before(grid.start(slot), levels.zone) <= grid.start(slot - count))
    }

  /** Four years, in which months have all their lengths and clocks change: 2024 to 2028. */
  private val days: Seq[Long] = (19723L to 21184L).map(_ * Micros.Day)
}
