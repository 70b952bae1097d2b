package io.paddlewheel.time

import java.time.Instant
import java.time.temporal.ChronoUnit

/** The time line: microseconds since 1970-01-01T00:00:00Z.
  *
  * Every instant given to the engine MUST lie in `[Min, Max]`, some 146,000 years either way. What is left of
  * the range of a `Long` is head room: bounds of slots and rotations may lie outside of the domain, and
  * adding to them does not overflow.
  */
object Instants {
  val Min: Long = -(1L << 62)
  val Max: Long = 1L << 62

  /** ISO-8601 in UTC. Total: it is used in error messages, where a second failure would hide the first. */
  def show(micros: Long): String = Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString

  /** `a - b` for `b >= 0`, held to the domain. */
  private[time] def minus(a: Long, b: Long): Long = if (a < Min + b) Min else clamp(a - b)

  /** `a + b` for `b >= 0`, held to the domain. */
  private[time] def plus(a: Long, b: Long): Long = if (a > Max - b) Max else clamp(a + b)

  private[time] def clamp(micros: Long): Long = math.max(Min, math.min(Max, micros))
}
