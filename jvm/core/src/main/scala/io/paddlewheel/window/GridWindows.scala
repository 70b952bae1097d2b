package io.paddlewheel.window

import io.paddlewheel.column.Cells
import io.paddlewheel.time.{Granularity, Instants}
import io.paddlewheel.wheel.Wheel

/** Tumbling windows on a calendar grid, and cumulative ones on any: each instance is read as it completes, in steps. */
private[window] final class GridWindows(
    wheel: Wheel,
    grid: Granularity,
    step: Option[Long],
    emitter: Emitter,
    read: LevelRead
) extends Turning {
  private val total = Cells(wheel.schema, 1)
  private val piece = Cells(wheel.schema, 1)
  // What `total` covers: [start, grown) of the current instance.
  private var start = Long.MinValue
  private var grown = Long.MinValue
  private var present = false

  def advance(emitted: Long, until: Long): Unit =
    if (!wheel.isEmpty) {
      var end = endAfter(math.max(emitted, grid.floor(wheel.first)))
      if (end <= until) recallPredecessor(end)
      while (end <= until) {
        val from = grid.floor(end - 1)
        if (growTo(from, end)) {
          emitter.offer(from, end, previousEnd(from, end), total)
          end = endAfter(end)
        } else
          end = wheel.nextSlot(end).fold(Long.MaxValue)(next => math.max(endAfter(end), endAfter(next)))
      }
    }

  def nextEnd(emitted: Long): Long =
    if (wheel.isEmpty) Long.MaxValue
    else {
      val end = endAfter(if (emitted > Instants.Min) emitted else grid.floor(wheel.first))
      val from = grid.floor(end - 1)
      val before = if (emitter.needsPredecessor && step.isEmpty) grid.floor(from - 1) else from
      val data = wheel.nextData(before, read.level)
      if (data == Long.MaxValue) data else if (data < end) end else endAfter(data)
    }

  /** The first end of a step that is after the instant. */
  private def endAfter(instant: Long): Long = {
    val slot = grid.slotOf(instant)
    val close = grid.end(slot)
    step.fold(close) { length =>
      val from = grid.start(slot)
      math.min(close, from + (Math.floorDiv(instant - from, length) + 1) * length)
    }
  }

  /** The end one step before; none before the first step of a cumulative window, which starts from nothing. */
  private def previousEnd(from: Long, end: Long): Long = step.fold(from) { length =>
    val steps = Math.floorDiv(end - from - 1, length)
    if (steps == 0) Emitter.NoPredecessor else from + steps * length
  }

  /** Makes `total` that of `[from, end)`; whether there is any data. */
  private def growTo(from: Long, end: Long): Boolean = {
    if (from != start || end < grown) {
      start = from
      grown = from
      present = false
      wheel.schema.clear(total, 0)
    }
    if (grown < end && read(wheel, grown, end, piece)) {
      wheel.schema.merge(total, 0, piece, 0)
      present = true
    }
    grown = end
    present
  }

  private def recallPredecessor(end: Long): Unit = {
    val from = grid.floor(end - 1)
    val before = previousEnd(from, end)
    if (emitter.needsPredecessor && before != Emitter.NoPredecessor && !emitter.knows(before))
      if (growTo(grid.floor(before - 1), before)) emitter.recall(before, total)
  }

  def forget(): Unit = {
    start = Long.MinValue
    grown = Long.MinValue
    emitter.forget()
  }

  def needsFrom(emitted: Long): Long = Long.MaxValue
}
