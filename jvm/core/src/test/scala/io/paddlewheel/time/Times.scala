package io.paddlewheel.time

import java.time.{Instant, LocalDateTime, ZoneId, ZoneOffset, ZonedDateTime}
import java.time.temporal.ChronoUnit

import scala.jdk.CollectionConverters._

import org.scalacheck.Gen

/** Zones and instants to test with: where clocks change, before 1970, and at the ends of the domain. */
object Times {

  def zone(id: String): ZoneId = ZoneId.of(id)

  def utc(text: String): Long = micros(LocalDateTime.parse(text).toInstant(ZoneOffset.UTC))

  def local(text: String, zone: ZoneId): Long = micros(LocalDateTime.parse(text).atZone(zone).toInstant)

  def micros(instant: Instant): Long =
    Math.addExact(Math.multiplyExact(instant.getEpochSecond, 1000000L), instant.getNano / 1000L)

  def zoned(micros: Long, zone: ZoneId): ZonedDateTime =
    Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atZone(zone)

  val zoneIds: Vector[String] =
    ZoneId.getAvailableZoneIds.asScala.filterNot(_.startsWith("SystemV/")).toVector.sorted

  /** Zones that have once done what others never do. */
  private val notable =
    Seq("UTC", "Europe/Stockholm", "America/New_York", "America/St_Johns", "America/Sao_Paulo") ++
      Seq(
        "Pacific/Apia",
        "Pacific/Kiritimati",
        "Pacific/Kwajalein",
        "Asia/Manila",
        "America/Juneau",
        "Australia/Lord_Howe"
      ) ++
      Seq(
        "Africa/Casablanca",
        "Asia/Kolkata",
        "Asia/Kathmandu",
        "America/Caracas",
        "Africa/Cairo",
        "Asia/Gaza",
        "+05:30"
      )

  /** Whether two granularities may be levels one above the other. */
  def nest(lower: String, upper: String, zone: ZoneId): Boolean =
    Nesting
      .of(Granularity.parse(lower, zone), Granularity.parse(upper, zone))
      .exists(nesting => nesting.fanOut > 1 && nesting.fanOut <= Levels.MaxFanOut)

  val zones: Gen[ZoneId] = Gen.frequency(2 -> Gen.oneOf(notable), 3 -> Gen.oneOf(zoneIds)).map(ZoneId.of)

  private def around(micros: Long): Gen[Long] = Gen.frequency(
    1 -> Gen.const(micros),
    1 -> Gen.oneOf(-1L, 1L).map(micros + _),
    3 -> Gen.choose(-Micros.Hour, Micros.Hour).map(micros + _),
    3 -> Gen.choose(-3 * Micros.Day, 3 * Micros.Day).map(micros + _)
  )

  private val someday: Gen[Long] = Gen.choose(utc("1800-01-01T00:00:00"), utc("2600-01-01T00:00:00"))

  def instants(zone: ZoneId): Gen[Long] = {
    val known = zone.getRules.getTransitions.asScala.map(t => micros(t.getInstant)).toVector
    val change = someday.map { t =>
      val next = zone.getRules.nextTransition(Instant.EPOCH.plus(t, ChronoUnit.MICROS))
      if (next == null) t else micros(next.getInstant)
    }
    val changes = if (known.isEmpty) change else Gen.oneOf(Gen.oneOf(known), change)
    Gen.frequency(
      4 -> changes.flatMap(around),
      3 -> someday,
      1 -> Gen.choose(Instants.Min, Instants.Max),
      1 -> Gen.oneOf(Instants.Min, Instants.Max, Instants.Min + 1, Instants.Max - 1, 0L, -1L)
    )
  }
}
