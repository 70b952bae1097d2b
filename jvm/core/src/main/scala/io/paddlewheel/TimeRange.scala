package io.paddlewheel

import io.paddlewheel.time.Instants

/** The instants from `start` up to, and without, `end`, in microseconds since the epoch. */
final case class TimeRange(start: Long, end: Long) {
  if (start > end)
    throw new Refusal(
      "RANGE_REVERSED",
      s"The range starts at ${Instants.show(start)}, after its end ${Instants.show(end)}. Swap the bounds."
    )

  def isEmpty: Boolean = start == end

  override def toString: String = s"[${Instants.show(start)}, ${Instants.show(end)})"
}
