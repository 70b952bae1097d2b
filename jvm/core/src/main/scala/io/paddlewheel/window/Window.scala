package io.paddlewheel.window

import io.paddlewheel.time.Granularity

/** What a stream is cut into. Lengths are microseconds, and whole base slots. */
sealed trait Window

object Window {

  /** One window after the other, on any grid: 5 seconds, a day of a zone, a month. */
  final case class Tumbling(grid: Granularity) extends Window

  /** `[k * slide, k * slide + range)` for every k. The range need not be a multiple of the slide. */
  final case class Sliding(range: Long, slide: Long) extends Window

  /** Slots that are less than `gap` apart, by their starts; it ends `gap` after the start of the last. */
  final case class Session(gap: Long) extends Window

  /** A tumbling window that is seen growing: `[start, start + step)`, `[start, start + 2 * step)`, … up to its end. */
  final case class Cumulative(grid: Granularity, step: Long) extends Window
}

/** Which of the windows that the watermark has passed are given out. A window without data never is. */
sealed trait Emission

object Emission {

  /** Each one, as Spark's own window aggregation does. */
  case object Every extends Emission

  /** The last one of each advance. */
  case object Latest extends Emission

  /** Each one whose value differs from that of the window one slide before, an empty one included. */
  case object Changed extends Emission
}

/** Takes the windows of one key, those of each window in time order. `value` is only lent for the call. */
trait Sink {
  def emit(window: Int, start: Long, end: Long, value: io.paddlewheel.column.Cells): Unit
}
