package io.paddlewheel.time

import java.time.{Instant, LocalDate, ZoneId, ZoneOffset}
import java.time.zone.ZoneRules
import java.util.concurrent.ConcurrentHashMap

/** The clock on the wall of a time zone, in microseconds of local time, made monotone.
  *
  * Where a clock is set back, the real one shows an hour twice; this one stands still through the second pass, at the last
  * microsecond it showed. So `at` never falls, and `instant` is its inverse: `at(t) >= l` exactly when `t >= instant(l)`.
  * A local time that was skipped is thereby the instant of the skip, one that was repeated is its first pass, as
  * java.time's `atStartOfDay` has it.
  *
  * All changes of the zone are held in arrays: those known one by one, then 400 years of those given by a yearly rule, in
  * which the Gregorian calendar repeats; later instants are folded back into these.
  */
private[time] final class WallClock private (rules: ZoneRules) {

  private val (since, offset): (Array[Long], Array[Long]) = {
    val changes = Iterator
      .iterate(rules.nextTransition(Instant.MIN))(t => rules.nextTransition(t.getInstant))
      .takeWhile(t => t != null && t.toEpochSecond * Micros.Second < foldFrom + foldBy + WallClock.Year)
      .toArray
    val first = rules.getOffset(Instant.MIN).getTotalSeconds * Micros.Second
    (
      Long.MinValue +: changes.map(_.toEpochSecond * Micros.Second),
      first +: changes.map(_.getOffsetAfter.getTotalSeconds * Micros.Second)
    )
  }

  /** The local time at which regime i begins: all before it was shown in an earlier one. */
  private val shown: Array[Long] = {
    val ends = since.indices.drop(1).map(i => since(i) + offset(i - 1))
    ends.scanLeft(Long.MinValue + 1)((a, b) => math.max(a, b)).toArray
  }

  /** When the last change known one by one lies two years back. From here on the years repeat by `foldBy`. */
  private lazy val foldFrom: Long = {
    val known = rules.getTransitions
    val year = if (known.isEmpty) 1970 else known.get(known.size - 1).getDateTimeAfter.getYear
    LocalDate.of(year + 2, 1, 1).toEpochDay * Micros.Day
  }

  private def foldBy: Long = WallClock.Cycle

  private val folds = !rules.getTransitionRules.isEmpty
  private val foldAfter = if (folds) foldFrom + foldBy else Long.MaxValue

  /** The local time at an instant. */
  def at(micros: Long): Long = {
    val fold = foldOf(micros)
    val t = micros - fold
    val i = WallClock.regime(since, t)
    math.max(t + offset(i), shown(i) - 1) + fold
  }

  /** The first instant at which this clock shows the local time, or a later one. */
  def instant(local: Long): Long = {
    val fold = foldOf(local)
    val l = local - fold
    val i = WallClock.regime(shown, l)
    math.max(since(i), l - offset(i)) + fold
  }

  /** The instants at which the offset changes: all of the past, and one whole cycle of those to come. */
  def changes: Array[Long] = since.drop(1)

  /** From when on all changes follow a yearly rule. */
  def ruledFrom: Long = if (folds) foldFrom else Long.MaxValue

  private def foldOf(micros: Long): Long =
    if (micros < foldAfter) 0 else Math.floorDiv(micros - foldFrom, foldBy) * foldBy
}

private[time] object WallClock {

  private val Cycle = 146097 * Micros.Day
  private val Year = 366 * Micros.Day

  private val known = new ConcurrentHashMap[ZoneId, WallClock]

  def apply(zone: ZoneId): WallClock = known.computeIfAbsent(zone, z => new WallClock(z.getRules))

  def isUtc(zone: ZoneId): Boolean =
    zone.getRules.isFixedOffset && zone.getRules.getOffset(Instant.EPOCH) == ZoneOffset.UTC

  /** The last i with bounds(i) <= x. The first bound is Long.MinValue. */
  private def regime(bounds: Array[Long], x: Long): Int = {
    var low = 0
    var high = bounds.length
    while (high - low > 1) {
      val middle = (low + high) >>> 1
      if (bounds(middle) <= x) low = middle else high = middle
    }
    low
  }
}
