package io.paddlewheel.window

import io.paddlewheel.{Refusal, TimeRange}
import io.paddlewheel.column.Cells
import io.paddlewheel.plan.{Horizon, Planner}
import io.paddlewheel.time.{Fixed, Instants, Levels}
import io.paddlewheel.wheel.Wheel

/** Reads spans that end at or below the watermark from one level. */
private[window] final class LevelRead(levels: Levels, val level: Int, val size: Long) {

  def apply(wheel: Wheel, start: Long, end: Long, into: Cells): Boolean = {
    val grid = levels.granularity(level)
    val from = grid.slotOf(start)
    val until = from + (end - start) / size
    val fromRotation = levels.rotationOf(level, from)
    val untilRotation = levels.rotationOf(level, until)
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

private[window] object LevelRead {

  /** The coarsest level with a slot edge at every multiple of `grain`; it must keep what is `back` behind. */
  def of(levels: Levels, grain: Long, back: Long, window: String): LevelRead = {
    val fitting = (0 until levels.count).flatMap { level =>
      levels.granularity(level) match {
        case Fixed(size, origin) if grain % size == 0 && origin % size == 0 => Some((level, size))
        case _                                                            => None
      }
    }
    val (level, size) = fitting.lastOption.getOrElse(
      throw new Refusal(
        "WINDOW_NOT_A_MULTIPLE",
        s"$window is not a multiple of the base, ${levels.base.name}. Round it, or use a finer base level."
      )
    )
    levels(level).retention.foreach { retention =>
      if (retention.before(0L, levels.zone) > -back)
        throw new Refusal(
          "WINDOW_BEYOND_RETENTION",
          s"$window reaches back further than level ${levels.granularity(level).name} is kept (${retention.name}). " +
            "Lengthen that retention, or let the window slide by a coarser level."
        )
    }
    new LevelRead(levels, level, size)
  }
}

/** Reads any range of one wheel that its levels can answer. */
private[window] final class RangeRead(planner: Planner, wheel: Wheel) {
  private var horizon: Horizon = null

  /** To be called when the wheel has changed. */
  def renew(): Unit = horizon = null

  def apply(start: Long, end: Long, into: Cells): Boolean = {
    if (horizon == null) horizon = Horizon.of(wheel)
    planner.plan(TimeRange(math.max(start, Instants.Min), end), horizon).run(wheel, into, 0)
  }
}
