package io.paddlewheel.time

import java.time.{LocalDate, ZoneId, ZoneOffset}
import java.time.temporal.ChronoField

import io.paddlewheel.Refusal

/** A grid on the time line: slots numbered by `Long`, slot n is `[start(n), start(n + 1))`.
  *
  * `start` never falls as n grows. A slot may be empty of time (a local day that a zone skipped); `slotOf`
  * never gives one.
  */
sealed trait Granularity {

  /** Canonical text that stands alone: `1 second`, `15 minutes`, `1 day in Europe/Stockholm`. */
  def name: String

  /** Canonical text as a spec in the zone has it; `Granularity.parse` reads it back. */
  def text(zone: ZoneId): String

  /** The slot that contains the instant. */
  def slotOf(micros: Long): Long

  def start(slot: Long): Long

  final def end(slot: Long): Long = start(slot + 1)

  /** The start of the slot that contains the instant. */
  final def floor(micros: Long): Long = start(slotOf(micros))

  /** The smallest slot start that is not before the instant. */
  final def ceil(micros: Long): Long = {
    val slot = slotOf(micros)
    val from = start(slot)
    if (from == micros) from else start(slot + 1)
  }

  final def isAligned(micros: Long): Boolean = floor(micros) == micros

  /** The usual length of a slot, by the mean Gregorian month and the 24-hour day. */
  private[time] def nominal: Long

  override def toString: String = name
}

/** Slots of one size; slot n starts at `origin + n * size`. */
final case class Fixed(size: Long, origin: Long) extends Granularity {
  Granularity.limit(size, Granularity.MaxNominal, s"$size microseconds")
  Granularity.limit(BigInt(origin).abs + 1, Granularity.MaxNominal, s"an origin of $origin microseconds")

  private val divisor = new Divisor(size)

  def slotOf(micros: Long): Long = divisor.floor(micros - origin)

  def start(slot: Long): Long = origin + slot * size

  def name: String = text(ZoneOffset.UTC)

  /** In another zone than UTC, days and weeks are words for that zone's. */
  def text(zone: ZoneId): String = {
    val days = if (WallClock.isUtc(zone) && size % Micros.Day == 0) size / Micros.Day else 0
    val length = if (days > 0) TimeUnit.Day.times(days) else TimeUnit.showClock(size)
    if (origin == 0) length
    else if (origin == Granularity.Monday * Micros.Day && days > 0 && days % 7 == 0)
      TimeUnit.Week.times(days / 7)
    else s"$length from ${Instants.show(origin)}"
  }

  private[time] def nominal: Long = size
}

/** Slots of `count` local days of a zone; slot n starts with the day `phase + n * count` after 1970-01-01. */
final case class Days(count: Int, phase: Int, zone: ZoneId) extends Granularity {
  Granularity.limit(count, Granularity.MaxYears * 366, s"$count days")
  Granularity.limit(BigInt(phase).abs + 1, Granularity.MaxYears * 366, s"a phase of $phase days")

  @transient private lazy val clock = WallClock(zone)

  def slotOf(micros: Long): Long =
    Math.floorDiv(Math.floorDiv(clock.at(micros), Micros.Day) - phase, count.toLong)

  def start(slot: Long): Long = clock.instant((phase + slot * count) * Micros.Day)

  def name: String = s"${text(zone)} in $zone"

  def text(zone: ZoneId): String =
    if (phase == Granularity.Monday && count % 7 == 0) TimeUnit.Week.times(count / 7L)
    else if (phase == 0) TimeUnit.Day.times(count.toLong)
    else s"${TimeUnit.Day.times(count.toLong)} from ${LocalDate.ofEpochDay(phase.toLong)}"

  private[time] def nominal: Long = count * Micros.Day
}

/** Slots of `count` calendar months of a zone; slot 0 starts with January 1970. */
final case class Months(count: Int, zone: ZoneId) extends Granularity {
  Granularity.limit(count, Granularity.MaxYears * 12, s"$count months")

  @transient private lazy val clock = WallClock(zone)

  def slotOf(micros: Long): Long = slotOfDay(Math.floorDiv(clock.at(micros), Micros.Day))

  def start(slot: Long): Long = clock.instant(firstDay(slot) * Micros.Day)

  /** The slot of a local day, counted from 1970-01-01. */
  private[time] def slotOfDay(day: Long): Long = {
    val month = LocalDate.ofEpochDay(day).getLong(ChronoField.PROLEPTIC_MONTH)
    Math.floorDiv(month - Months.January1970, count.toLong)
  }

  /** The first local day of a slot, counted from 1970-01-01. */
  private[time] def firstDay(slot: Long): Long = {
    val month = Months.January1970 + slot * count
    LocalDate.of(Math.floorDiv(month, 12L).toInt, Math.floorMod(month, 12L).toInt + 1, 1).toEpochDay
  }

  def name: String = if (WallClock.isUtc(zone)) text(zone) else s"${text(zone)} in $zone"

  def text(zone: ZoneId): String =
    if (count % 12 == 0) TimeUnit.Year.times(count / 12L)
    else if (count == 3) TimeUnit.Quarter.times(1)
    else TimeUnit.Month.times(count.toLong)

  private[time] def nominal: Long = count * Micros.Month
}

object Months {
  private val January1970 = 1970L * 12
}

object Granularity {

  private[time] val MaxYears = 1000

  /** Keeps 64 slots beyond the end of the domain inside of a `Long`. */
  private[time] val MaxNominal: Long = MaxYears * 12 * Micros.Month

  /** 1969-12-29, in days from the epoch: ISO weeks start on Monday. */
  private[time] val Monday = -3

  /** Reads `100 ms`, `15 minutes`, `1 day`, `1 week`, `2 years`.
    *
    * Units below a day are aligned to the epoch in UTC; days to the epoch, weeks to Monday and months to the
    * year 1970 of the zone. So `7 days` and `1 week` are two different grids.
    */
  def parse(text: String, zone: ZoneId = ZoneOffset.UTC): Granularity = Amount.parse(text) match {
    case Seq(Amount(count, unit)) =>
      limit(BigInt(count) * unit.one.nominal, MaxNominal, text)
      unit.one match {
        case Span(0, 0, micros) => Fixed(count * micros, 0)
        case Span(0, days, _) => ofDays((count * days).toInt, if (unit == TimeUnit.Week) Monday else 0, zone)
        case Span(months, _, _) => Months((count * months).toInt, zone)
      }
    case _ =>
      throw new Refusal(
        "GRANULARITY_COMPOUND",
        s"A level is one count of one unit, but '$text' has several. Write it in the smallest of them, " +
          "such as '90 minutes'."
      )
  }

  /** Whether every slot edge of `coarse` is one of `fine` too, from some instant on for ever. */
  def nests(fine: Granularity, coarse: Granularity): Boolean =
    fine == coarse || Nesting.of(fine, coarse).isRight

  /** In UTC every day has 24 hours, and the arithmetic of fixed slots will do. */
  private def ofDays(count: Int, phase: Int, zone: ZoneId): Granularity =
    if (WallClock.isUtc(zone)) Fixed(count * Micros.Day, phase * Micros.Day) else Days(count, phase, zone)

  private[time] def limit(amount: BigInt, most: BigInt, text: String): Unit = {
    if (amount <= 0) throw Amount.notPositive(text)
    if (amount > most) throw Amount.tooLarge(text, s"$MaxYears years for one slot")
  }
}
