package io.paddlewheel.time

import java.time.{Instant, LocalDate, ZoneId, ZoneOffset}
import java.time.zone.{ZoneOffsetTransition, ZoneRules}
import java.util.concurrent.ConcurrentHashMap

/** The clock on the wall of a time zone, in microseconds of local time, made monotone.
  *
  * Where a clock is set back, the real one shows an hour twice; this one stands still through the second
  * pass, at the last microsecond it showed. So `at` never falls, and `instant` is its inverse: `at(t) >= l`
  * exactly when `t >= instant(l)`. A local time that was skipped is thereby the instant of the skip, and one
  * that was repeated is its first pass, as java.time's `atStartOfDay` has it.
  *
  * All changes of the zone are held in arrays: those known one by one, then 400 years of those that a yearly
  * rule gives, in which the Gregorian calendar repeats. Later instants are folded back into these years.
  *
  * @param since
  *   when each offset came into force; the first is `Long.MinValue`
  * @param ruledFrom
  *   from when on all changes follow a yearly rule, `Long.MaxValue` if they never do
  */
private[time] final class WallClock private (since: Array[Long], offset: Array[Long], val ruledFrom: Long) {

  private val foldsFrom =
    if (ruledFrom == Long.MaxValue) Long.MaxValue else ruledFrom + WallClock.Cycle

  /** The local times before shown(i) were all shown before the offset i came into force. */
  private val shown: Array[Long] = {
    val reached = (1 until since.length).map(i => since(i) + offset(i - 1))
    reached.scanLeft(Long.MinValue + 1)((a, b) => math.max(a, b)).toArray
  }

  /** The local time at an instant. */
  def at(micros: Long): Long = {
    val fold = foldOf(micros)
    val t = micros - fold
    val i = WallClock.lastUpTo(since, t)
    math.max(t + offset(i), shown(i) - 1) + fold
  }

  /** The first instant at which this clock shows the local time or a later one. */
  def instant(local: Long): Long = {
    val fold = foldOf(local)
    val l = local - fold
    val i = WallClock.lastUpTo(shown, l)
    math.max(since(i), l - offset(i)) + fold
  }

  /** The instants at which the offset changes: all that are known, and those of 40 years by the rule.
    *
    * Any 40 years have all the 14 calendars that a year can have, so a later change is like one of these.
    */
  def changes: Seq[Long] = since.toSeq.drop(1).takeWhile(_ - 40 * 366 * Micros.Day < ruledFrom)

  private def foldOf(micros: Long): Long =
    if (micros < foldsFrom) 0 else Math.floorDiv(micros - ruledFrom, WallClock.Cycle) * WallClock.Cycle
}

private[time] object WallClock {

  private val Cycle = 146097 * Micros.Day

  private val read = new ConcurrentHashMap[ZoneId, WallClock]

  def apply(zone: ZoneId): WallClock = read.computeIfAbsent(zone, zone => of(zone.getRules))

  /** Whether two zones have always shown, and will always show, the same time. */
  def same(a: ZoneId, b: ZoneId): Boolean = a == b || a.getRules == b.getRules

  def isUtc(zone: ZoneId): Boolean = same(zone, ZoneOffset.UTC)

  private def of(rules: ZoneRules): WallClock = {
    // Two years after the last change known one by one, the change before is one of the rule's too.
    val known = rules.getTransitions
    val lastYear = if (known.isEmpty) 1970 else known.get(known.size - 1).getDateTimeAfter.getYear
    val ruledFrom = LocalDate.of(lastYear + 2, 1, 1).toEpochDay * Micros.Day
    val readUntil = ruledFrom + Cycle + 366 * Micros.Day

    def micros(change: ZoneOffsetTransition) = change.toEpochSecond * Micros.Second
    val changes = Iterator
      .iterate(rules.nextTransition(Instant.MIN))(change => rules.nextTransition(change.getInstant))
      .takeWhile(change => change != null && micros(change) < readUntil)
      .toArray
    val offsets = rules.getOffset(Instant.MIN) +: changes.map(_.getOffsetAfter)
    new WallClock(
      Long.MinValue +: changes.map(micros),
      offsets.map(_.getTotalSeconds * Micros.Second),
      if (rules.getTransitionRules.isEmpty) Long.MaxValue else ruledFrom
    )
  }

  /** The last i with bounds(i) <= x, or 0. */
  private def lastUpTo(bounds: Array[Long], x: Long): Int = {
    var low = 0
    var high = bounds.length
    while (high - low > 1) {
      val middle = (low + high) >>> 1
      if (bounds(middle) <= x) low = middle else high = middle
    }
    low
  }
}
