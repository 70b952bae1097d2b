package io.paddlewheel.time

import java.time.{DayOfWeek, ZoneId, ZoneOffset, ZonedDateTime}
import java.time.temporal.TemporalAdjusters

import org.scalacheck.Gen
import org.scalacheck.Prop.{forAllNoShrink, propBoolean}
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.{Checks, Refusal}
import io.paddlewheel.time.Times._

class GranularitySuite extends AnyFunSuite with Checks {

  private val stockholm = zone("Europe/Stockholm")

  private val texts = Gen.oneOf(
    Seq(
      "1 us",
      "7 us",
      "100 ms",
      "1 second",
      "15 minutes",
      "1 hour",
      "36 hours",
      "1 day",
      "3 days",
      "7 days",
      "1 week"
    ) ++
      Seq("2 weeks", "1 month", "5 months", "1 quarter", "1 year", "7 years", "1000 years", "365000 days")
  )

  test("text is read into the grid it names") {
    val second = Micros.Second
    val expected = Seq(
      "1 us" -> Fixed(1, 0),
      "5 microseconds" -> Fixed(5, 0),
      "100 ms" -> Fixed(100000, 0),
      "5 s" -> Fixed(5 * second, 0),
      "1 second" -> Fixed(second, 0),
      "15 min" -> Fixed(15 * Micros.Minute, 0),
      "15  Minutes" -> Fixed(15 * Micros.Minute, 0),
      " 1 hour " -> Fixed(Micros.Hour, 0),
      "36 hours" -> Fixed(36 * Micros.Hour, 0),
      "1 day" -> Fixed(Micros.Day, 0),
      "7 days" -> Fixed(7 * Micros.Day, 0),
      "1 week" -> Fixed(7 * Micros.Day, -3 * Micros.Day),
      "1 month" -> Months(1, ZoneOffset.UTC),
      "1 quarter" -> Months(3, ZoneOffset.UTC),
      "1 year" -> Months(12, ZoneOffset.UTC),
      "2 years" -> Months(24, ZoneOffset.UTC)
    )
    for ((text, granularity) <- expected) assert(Granularity.parse(text) == granularity, text)
    assert(Granularity.parse("1 day", stockholm) == Days(1, 0, stockholm))
    assert(Granularity.parse("1 week", stockholm) == Days(7, -3, stockholm))
    assert(Granularity.parse("1 hour", stockholm) == Fixed(Micros.Hour, 0))
    assert(Granularity.parse("1 day", zone("Etc/UTC")) == Fixed(Micros.Day, 0))
  }

  test("the canonical text is read back into the same grid") {
    val texts = Seq(
      "1 microsecond",
      "100 milliseconds",
      "1 second",
      "15 minutes",
      "36 hours",
      "1 day",
      "7 days",
      "1 week"
    ) ++
      Seq("2 weeks", "1 month", "1 quarter", "6 months", "1 year", "10 years")
    for (text <- texts; zone <- Seq(ZoneOffset.UTC, stockholm)) {
      val granularity = Granularity.parse(text, zone)
      assert(granularity.text(zone) == text)
    }
    assert(Granularity.parse("60 s").name == "1 minute")
    assert(Granularity.parse("48 hours").name == "2 days")
    assert(Granularity.parse("48 hours").text(stockholm) == "48 hours")
    assert(Granularity.parse("1 day", stockholm).name == "1 day in Europe/Stockholm")
    assert(Granularity.parse("3 months", stockholm).name == "1 quarter in Europe/Stockholm")
  }

  check("text is read back in every zone") {
    forAllNoShrink(zones, texts) { (zone, text) =>
      val granularity = Granularity.parse(text, zone)
      Granularity.parse(granularity.text(zone), zone) == granularity
    }
  }

  test("what cannot be read is refused by name") {
    val refused = Seq(
      "" -> "DURATION_UNREADABLE",
      "day" -> "DURATION_UNREADABLE",
      "1.5 hours" -> "DURATION_UNREADABLE",
      "1" -> "DURATION_UNREADABLE",
      "INTERVAL 5 MINUTES" -> "DURATION_UNREADABLE",
      "1 fortnight" -> "UNIT_UNKNOWN",
      "5 m" -> "UNIT_UNKNOWN",
      "1 nanosecond" -> "UNIT_UNKNOWN",
      "0 seconds" -> "AMOUNT_NOT_POSITIVE",
      "-5 minutes" -> "AMOUNT_NOT_POSITIVE",
      "1001 years" -> "AMOUNT_TOO_LARGE",
      "99999999999999999999 s" -> "AMOUNT_TOO_LARGE",
      "9223372036854775807 years" -> "AMOUNT_TOO_LARGE",
      "1 hour 30 minutes" -> "GRANULARITY_COMPOUND"
    )
    for ((text, condition) <- refused)
      assert(intercept[Refusal](Granularity.parse(text)).condition == condition, text)
    assert(intercept[Refusal](Fixed(0, 0)).condition == "AMOUNT_NOT_POSITIVE")
    assert(intercept[Refusal](Fixed(1, Long.MinValue)).condition == "AMOUNT_TOO_LARGE")
  }

  private val placed: Gen[(Granularity, Long)] =
    for (zone <- zones; text <- texts; t <- instants(zone)) yield (Granularity.parse(text, zone), t)

  check("an instant lies in its slot") {
    forAllNoShrink(placed) { case (g, t) =>
      val slot = g.slotOf(t)
      s"$g, ${Instants.show(t)}" |: g.start(slot) <= t && t < g.end(slot)
    }
  }

  check("starts never fall, and a slot with time in it is the slot of its start") {
    forAllNoShrink(placed) { case (g, t) =>
      (g.slotOf(t) - 3 to g.slotOf(t) + 3).forall { slot =>
        g.start(slot) <= g.end(slot) && (g.start(slot) == g.end(slot) || g.slotOf(g.start(slot)) == slot)
      }
    }
  }

  check("floor and ceil are the nearest starts") {
    forAllNoShrink(placed) { case (g, t) =>
      val (floor, ceil) = (g.floor(t), g.ceil(t))
      floor <= t && t <= ceil && g.isAligned(floor) && g.isAligned(ceil) &&
      (if (g.isAligned(t)) floor == t && ceil == t else floor < t && ceil == g.end(g.slotOf(t)))
    }
  }

  /** A date is repeated where a clock is set back over midnight; there java.time goes back to a day that had
    * ended.
    */
  private def dateRepeats(t: Long, zone: ZoneId): Boolean = {
    val day = zoned(t, zone).toLocalDate
    zoned(t, zone).isBefore(day.atStartOfDay(zone)) || !zoned(t, zone).isBefore(
      day.plusDays(1).atStartOfDay(zone)
    )
  }

  private def truncates(text: String)(truncate: ZonedDateTime => ZonedDateTime): Unit =
    check(s"'$text' is java.time's truncation") {
      forAllNoShrink(zones.flatMap(zone => instants(zone).map((zone, _)))) { case (zone, t) =>
        val day = truncate(zoned(t, zone)).toLocalDate.atStartOfDay(zone)
        dateRepeats(t, zone) || Granularity.parse(text, zone).floor(t) == micros(day.toInstant)
      }
    }

  truncates("1 day")(identity)
  truncates("1 week")(_.`with`(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)))
  truncates("1 month")(_.withDayOfMonth(1))
  truncates("1 quarter")(t => t.withDayOfMonth(1).withMonth((t.getMonthValue - 1) / 3 * 3 + 1))
  truncates("1 year")(_.withDayOfYear(1))
  truncates("2 years")(t => t.withDayOfYear(1).withYear(Math.floorDiv(t.getYear, 2) * 2))

  test("days have the hours that their zone gives them") {
    def hours(date: String, id: String) = {
      val days = Days(1, 0, zone(id))
      val slot = java.time.LocalDate.parse(date).toEpochDay
      (days.end(slot) - days.start(slot)).toDouble / Micros.Hour
    }
    assert(hours("2026-03-29", "Europe/Stockholm") == 23)
    assert(hours("2026-10-25", "Europe/Stockholm") == 25)
    assert(hours("2026-10-24", "Europe/Stockholm") == 24)
    assert(hours("2426-10-25", "Europe/Stockholm") == 25)
    assert(hours("2025-04-06", "Australia/Lord_Howe") == 24.5)
    assert(hours("2025-10-05", "Australia/Lord_Howe") == 23.5)
    assert(hours("2011-12-30", "Pacific/Apia") == 0)
    assert(hours("2018-11-04", "America/Sao_Paulo") == 23) // the day starts at 01:00
    assert(hours("2018-02-17", "America/Sao_Paulo") == 25) // and here its last hour comes twice
    assert(hours("2010-11-07", "America/St_Johns") == 25) // back from 00:01 to 23:01
    assert(hours("2010-11-06", "America/St_Johns") == 24)
  }

  test("a repeated date stays in the day that has begun") {
    val stJohns = zone("America/St_Johns")
    val days = Days(1, 0, stJohns)
    val began = local("2010-11-07T00:00:00", stJohns)
    for (minute <- 0 to 120)
      assert(
        days.slotOf(began + minute * Micros.Minute) == java.time.LocalDate.parse("2010-11-07").toEpochDay
      )
  }

  test("a skipped day holds no instant") {
    val days = Days(1, 0, zone("Pacific/Apia"))
    val skipped = java.time.LocalDate.parse("2011-12-30").toEpochDay
    assert(days.slotOf(days.start(skipped)) == skipped + 1)
    assert(days.slotOf(days.start(skipped) - 1) == skipped - 1)
  }
}
