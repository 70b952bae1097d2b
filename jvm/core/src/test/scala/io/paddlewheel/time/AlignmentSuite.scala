package io.paddlewheel.time

import java.time.{LocalDate, ZoneId}

import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.time.Times._

/** Every zone that the JDK knows, day by day, against java.time. */
class AlignmentSuite extends AnyFunSuite {

  private val first = LocalDate.parse("1840-01-01")
  private val until = LocalDate.parse("2110-01-01")
  private val days = (first.toEpochDay until until.toEpochDay).toArray

  /** One zone of each set of aliases. */
  private val zones = zoneIds.map(ZoneId.of).distinctBy(_.getRules)

  private def starts(zone: ZoneId): Array[Long] =
    days.map(day => micros(LocalDate.ofEpochDay(day).atStartOfDay(zone).toInstant))

  test("days start when java.time says") {
    for (zone <- zones) {
      val grid = Days(1, 0, zone)
      val expected = starts(zone)
      for (i <- days.indices if grid.start(days(i)) != expected(i))
        fail(s"${LocalDate.ofEpochDay(days(i))} in $zone starts at ${Instants.show(expected(i))}")
    }
  }

  for ((text, size) <- Seq("1 hour" -> Micros.Hour, "30 minutes" -> 30 * Micros.Minute))
    test(s"$text: taken where the days fit for good, from the first day on from which they do") {
      for (zone <- zones if !WallClock.isUtc(zone)) {
        val expected = starts(zone)
        val whole = expected.indices.dropRight(1)
        def slotsIn(i: Int) = (expected(i + 1) - expected(i)) / size
        // Macquarie Island had a day of 35 hours, in 1919.
        def fits(i: Int) = Math.floorMod(expected(i), size) == 0 && slotsIn(i) <= 64
        val lastMisfit = whole.findLast(!fits(_))

        val texts = Seq(text -> None, "1 day" -> None)
        Levels.faults(texts, zone.getId).map(_.condition) match {
          case Seq() =>
            val levels = Levels(texts, zone.getId)
            assert(levels.earliest == lastMisfit.fold(Instants.Min)(i => expected(i + 1)), zone)
            assert(levels.fanOut(0) == whole.filter(expected(_) >= levels.earliest).map(slotsIn).max, zone)
          case faults =>
            assert(faults == Seq("LEVEL_NOT_ALIGNED"), zone)
            assert(lastMisfit.exists(days(_) > LocalDate.parse("2100-01-01").toEpochDay), zone)
        }
      }
    }
}
