package io.paddlewheel.window

import io.paddlewheel.column.{Cells, Schema}

/** Applies an [[Emission]] to the instances of one window, which arrive in time order. */
private[window] final class Emitter(schema: Schema, window: Int, emission: Emission) {
  private var sink: Sink = null
  private lazy val last = Cells(schema, 1)
  private var lastStart = 0L
  private var lastEnd = Long.MinValue
  private var pending = false

  /** Whether the value of the instance before the first one offered must be known. */
  def needsPredecessor: Boolean = emission == Emission.Changed

  /** Whether the last instance taken ended there. */
  def knows(end: Long): Boolean = lastEnd == end

  def begin(to: Sink): Unit = sink = to

  /** Makes an instance known that was given out, or passed over, earlier. */
  def recall(end: Long, value: Cells): Unit = {
    last.set(0, value, 0)
    lastEnd = end
  }

  /** Takes an instance; `previousEnd` is the end of the one before, whether that had data or not, or
    * [[Emitter.NoPredecessor]].
    */
  def offer(start: Long, end: Long, previousEnd: Long, value: Cells): Unit = emission match {
    case Emission.Every => sink.emit(window, start, end, value)
    case Emission.Latest =>
      last.set(0, value, 0)
      lastStart = start
      lastEnd = end
      pending = true
    case Emission.Changed =>
      if (lastEnd != previousEnd || !schema.same(last, 0, value, 0)) sink.emit(window, start, end, value)
      last.set(0, value, 0)
      lastEnd = end
  }

  def finish(): Unit = {
    if (pending) sink.emit(window, lastStart, lastEnd, last)
    pending = false
    sink = null
  }

  def forget(): Unit = lastEnd = Long.MinValue
}

private[window] object Emitter {

  /** No instance ends there. */
  val NoPredecessor: Long = Long.MaxValue
}
