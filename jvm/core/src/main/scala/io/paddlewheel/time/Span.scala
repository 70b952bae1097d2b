package io.paddlewheel.time

import java.time.{LocalDate, ZoneId}

/** A length of time: calendar months, then calendar days, then microseconds. No part is negative.
  *
  * Months and days are counted on the wall clock of a zone. A span MUST keep the order of instants, `a <= b`
  * implies `before(a) <= before(b)`, or retention could give back what it has dropped. java.time's calendar
  * arithmetic does not keep it: 30 March 23:00 and 31 March 01:00, less a month, change places, and so may
  * two instants of an hour that is set back. So here a day that the target month lacks counts as the end of
  * that month, and the second pass of a repeated hour as the end of the first.
  */
final case class Span(months: Int, days: Int, micros: Long) {
  if (months < 0 || days < 0 || micros < 0) throw Amount.notPositive(parts)
  if (exactNominal > Instants.Max) throw Amount.tooLarge(parts, Span.Most)

  /** The instant this long before, not below `Instants.Min`. */
  def before(instant: Long, zone: ZoneId): Long = Instants.minus(onCalendar(instant, zone, -1), micros)

  /** The instant this long after, not above `Instants.Max`. */
  def after(instant: Long, zone: ZoneId): Long = Instants.plus(onCalendar(instant, zone, 1), micros)

  /** Its length by the mean Gregorian month and the 24-hour day: to compare lengths, not to find instants. */
  def nominal: Long = exactNominal.toLong

  /** Canonical text: `10 years`, `90 minutes`, `1 day 12 hours`. */
  def name: String = {
    val inMonths =
      if (months % 12 == 0) TimeUnit.Year.times(months / 12L) else TimeUnit.Month.times(months.toLong)
    val named = Seq(
      Option.when(months > 0)(inMonths),
      Option.when(days > 0)(TimeUnit.Day.times(days.toLong)),
      Option.when(micros > 0)(TimeUnit.showClock(micros))
    ).flatten
    if (named.isEmpty) "0 seconds" else named.mkString(" ")
  }

  override def toString: String = name

  private def parts: String = s"$months months $days days $micros microseconds"

  private def exactNominal: BigInt =
    BigInt(months) * Micros.Month + BigInt(days) * Micros.Day + BigInt(micros)

  private def onCalendar(from: Long, zone: ZoneId, sign: Int): Long =
    if (months == 0 && days == 0) from
    else {
      val clock = WallClock(zone)
      val local = clock.at(from)
      val date = LocalDate.ofEpochDay(Math.floorDiv(local, Micros.Day))
      val target = date.plusMonths(sign.toLong * months)
      val monthEnded = target.getDayOfMonth < date.getDayOfMonth
      val inDay = if (monthEnded) Micros.Day else Math.floorMod(local, Micros.Day)
      val day = target.toEpochDay + sign.toLong * days
      // Far outside of the domain, the microseconds of a day would not fit in a Long.
      if (day < Span.FirstDay) Instants.Min
      else if (day > Span.LastDay) Instants.Max
      else Instants.clamp(clock.instant(day * Micros.Day + inDay))
    }
}

object Span {
  val Zero: Span = Span(0, 0, 0)

  private val Most = "146,000 years"
  private val FirstDay = Instants.Min / Micros.Day - 2
  private val LastDay = Instants.Max / Micros.Day + 2

  /** Reads `2 days`, `90 minutes`, `1 day 12 hours`. The result is longer than zero. */
  def parse(text: String): Span = {
    val amounts = Amount.parse(text)
    def total(of: Span => Long): BigInt =
      amounts.map(amount => BigInt(amount.count) * of(amount.unit.one)).sum
    val (months, days, micros) = (total(_.months.toLong), total(_.days.toLong), total(_.micros))
    if (!months.isValidInt || !days.isValidInt || !micros.isValidLong) throw Amount.tooLarge(text, Most)
    Span(months.toInt, days.toInt, micros.toLong)
  }
}
