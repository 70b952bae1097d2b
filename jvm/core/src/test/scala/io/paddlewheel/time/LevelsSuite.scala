package io.paddlewheel.time

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, ObjectInputStream, ObjectOutputStream}
import java.time.{ZoneId, ZoneOffset}

import org.scalacheck.{Gen, Prop}
import org.scalacheck.Prop.{forAllNoShrink, propBoolean}
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.{Checks, Refusal}
import io.paddlewheel.time.Times._

class LevelsSuite extends AnyFunSuite with Checks {

  private val menu = Seq(
    "1 us",
    "1 ms",
    "100 ms",
    "1 second",
    "5 seconds",
    "1 minute",
    "15 minutes",
    "30 minutes",
    "1 hour"
  ) ++
    Seq(
      "3 hours",
      "12 hours",
      "1 day",
      "2 days",
      "7 days",
      "1 week",
      "2 weeks",
      "1 month",
      "1 quarter",
      "1 year",
      "10 years"
    )

  private def chain(texts: String*): Seq[(String, Option[String])] = texts.map(_ -> None)

  private def refusal(zone: String, texts: String*): Refusal =
    intercept[Refusal](Levels(chain(texts: _*), zone))

  private def assertRefused(condition: String, remedy: String, zone: String = "UTC")(texts: String*): Unit = {
    val refused = refusal(zone, texts: _*)
    assert(refused.condition == condition && refused.getMessage.contains(remedy), refused.getMessage)
  }

  test("a year of seconds has 213 slots") {
    val levels = Levels(
      Seq("1 second", "1 minute", "1 hour", "1 day", "7 days", "364 days").map(_ -> Some("3640 days"))
    )
    assert(levels.capacity == 60 + 60 + 24 + 7 + 52 + 10)
    assert((0 until levels.count).map(levels.fanOut) == Seq(60, 60, 24, 7, 52, 64))
    assert(levels.earliest == Instants.Min)
  }

  test("levels that do not nest are refused with a remedy") {
    assertRefused("LEVELS_EMPTY", "at least one")()
    assertRefused("LEVEL_REPEATED", "Leave one out")("60 seconds", "1 minute")
    assertRefused("LEVELS_NOT_ASCENDING", "Order the levels")("1 hour", "1 minute")
    assertRefused("LEVEL_NOT_A_MULTIPLE", "Use '5 minutes' in place of '7 minutes'")("7 minutes", "1 hour")
    assertRefused("LEVEL_NOT_A_MULTIPLE", "Use '1 day' in place of '1 week'")("1 week", "1 month")
    assertRefused("LEVEL_NOT_A_MULTIPLE", "Use '1 week' in place of '7 days'")("7 days", "2 weeks")
    assertRefused("LEVEL_NOT_A_MULTIPLE", "Use '1 quarter' in place of '5 months'")("5 months", "1 year")
    assertRefused("LEVEL_NOT_A_MULTIPLE", "Use '1 quarter' in place of '60 days'")("1 month", "60 days")
    assertRefused("LEVEL_NOT_A_MULTIPLE", "Use '2 days' in place of '48 hours'", "Europe/Stockholm")(
      "1 day",
      "48 hours"
    )
    assertRefused("FAN_OUT_TOO_WIDE", "Put '1 minute' and '1 hour' between", "Europe/Paris")(
      "1 second",
      "1 day"
    )
    assertRefused("FAN_OUT_TOO_WIDE", "3600")("1 second", "1 hour")
    assertRefused("FAN_OUT_TOO_WIDE", "Put '1 minute' between")("1 second", "1 hour")
    assertRefused("FAN_OUT_TOO_WIDE", "Put '1 minute' and '1 hour' between")("1 second", "1 day")
    assertRefused("FAN_OUT_TOO_WIDE", "Put '1 day' between")("1 hour", "1 month")
    assertRefused("FAN_OUT_TOO_WIDE", "Put '1 month' between")("1 day", "1 year")
    assertRefused("FAN_OUT_TOO_WIDE", "No level fits")("1 second", "67 seconds")
    assertRefused("FAN_OUT_TOO_WIDE", "Put '7 minutes' between")("7 seconds", "7 hours")
    assertRefused("ZONE_UNKNOWN", "Use 'Europe/Stockholm'", "Stockholm")("1 second")
    assertRefused("UNIT_UNKNOWN", "hours")("1 fortnight")
    assertRefused("AMOUNT_NOT_POSITIVE", "1 or more")("0 seconds")
  }

  /** The chain after one round of following the advice; `None` when there was none to follow. */
  private def advised(texts: Seq[String], fault: Refusal): Option[Seq[String]] = {
    val remedy = fault.getMessage.split("\\. (?=Put|Use|No)").last
    val quoted = "'([^']+)'".r.findAllMatchIn(remedy).map(_.group(1)).toSeq
    if (remedy.startsWith("Put")) Some((texts.head +: quoted) ++ texts.tail)
    else if (remedy.startsWith("Use")) Some(texts.map(text => if (text == quoted(1)) quoted.head else text))
    else None
  }

  check("a remedy is itself accepted", cases = 200) {
    val pairs = for (zone <- zones; a <- Gen.oneOf(menu); b <- Gen.oneOf(menu)) yield (zone, a, b)
    forAllNoShrink(pairs) { case (zone, a, b) =>
      val texts = Seq(a, b).map(Granularity.parse(_, zone).text(zone))
      Levels.faults(chain(texts: _*), zone.getId) match {
        case Seq(fault)
            if Set("FAN_OUT_TOO_WIDE", "LEVEL_NOT_A_MULTIPLE", "LEVEL_NOT_ALIGNED")(fault.condition) =>
          val followed = advised(texts, fault)
          fault.getMessage |: followed.forall(chain =>
            Levels.faults(chain.map(_ -> None), zone.getId).isEmpty
          )
        case faults => Prop(faults.size <= 1 && faults.forall(_.condition.startsWith("LEVEL")))
      }
    }
  }

  test("a retention shorter than a rotation is refused") {
    def retained(base: String, retention: String, above: String*) =
      Levels.faults((base -> Some(retention)) +: chain(above: _*)).map(_.condition)
    assert(retained("1 second", "59 seconds", "1 minute") == Seq("RETENTION_TOO_SHORT"))
    assert(retained("1 second", "1 minute", "1 minute").isEmpty)
    assert(retained("1 day", "23 hours") == Seq("RETENTION_TOO_SHORT"))
    assert(retained("1 day", "30 days", "1 month").isEmpty)
    assert(retained("1 day", "27 days", "1 month") == Seq("RETENTION_TOO_SHORT"))
    assert(retained("1 month", "365 days", "1 year").isEmpty)
    assert(retained("1 day", "0 days") == Seq("AMOUNT_NOT_POSITIVE"))
    assert(retained("1 day", "200000 years") == Seq("AMOUNT_TOO_LARGE"))
  }

  test("a level retained for less than a finer one is refused") {
    def retained(retentions: Option[String]*) =
      Levels.faults(Seq("1 second", "1 minute", "1 hour").zip(retentions)).map(_.condition)
    assert(retained(Some("2 hours"), Some("2 hours"), Some("1 day")).isEmpty)
    assert(retained(Some("2 hours"), Some("3 hours"), None).isEmpty)
    assert(retained(Some("2 days"), Some("47 hours"), None) == Seq("LEVEL_RETENTION_NOT_MONOTONE"))
    assert(retained(Some("1 day"), None, Some("1000 years")) == Seq("LEVEL_RETENTION_NOT_MONOTONE"))
    val refused = intercept[Refusal](Levels(Seq("1 second" -> Some("2 days"), "1 minute" -> Some("1 hour"))))
    assert(refused.getMessage.contains("Retain the coarser level at least as long"), refused.getMessage)
  }

  test("no level is dropped before a finer one, also where a month is shorter than 30 days") {
    val levels = Levels(Seq("1 minute" -> Some("30 days"), "1 hour" -> Some("1 month"), "1 day" -> None))
    val watermark = utc("2026-03-15T12:30:00")
    assert(levels.heldFrom(0, watermark) == utc("2026-02-13T12:00:00"))
    assert(levels.heldFrom(1, watermark) == utc("2026-02-13T00:00:00"))
  }

  test("all faults are told at once") {
    val levels = Seq(
      "1 second" -> Some("1 second"),
      "7 seconds" -> Some("1 eon"),
      "1 hour" -> None,
      "1 day" -> Some("1 h")
    )
    assert(
      Levels.faults(levels).map(_.condition) ==
        Seq("UNIT_UNKNOWN", "LEVEL_RETENTION_NOT_MONOTONE", "RETENTION_TOO_SHORT")
    )
    assert(
      Levels.faults(chain("7 minutes", "1 hour", "1 minute"), "Nowhere").map(_.condition) == Seq(
        "ZONE_UNKNOWN"
      )
    )
    val combined = refusal("UTC", "7 minutes", "1 hour", "1 minute")
    assert(combined.condition == "LEVELS_REFUSED")
    assert(
      combined.getMessage.contains("LEVEL_NOT_A_MULTIPLE") && combined.getMessage.contains(
        "LEVELS_NOT_ASCENDING"
      )
    )
  }

  test("all levels are in one zone") {
    val levels =
      Seq(Level(Days(1, 0, zone("Europe/Stockholm")), None), Level(Months(1, ZoneOffset.UTC), None))
    assert(intercept[Refusal](Levels.of(levels, ZoneOffset.UTC)).condition == "LEVEL_IN_ANOTHER_ZONE")
  }

  test("a zone by another name is the same zone") {
    val utc = Seq(Level(Granularity.parse("1 day"), None), Level(Granularity.parse("1 month"), None))
    for (id <- Seq("UTC", "Etc/UTC", "GMT", "Z")) assert(Levels.of(utc, zone(id)).fanOut(0) == 31)
    val twice = Seq(Level(Months(1, zone("UTC")), None), Level(Months(1, zone("GMT")), None))
    assert(intercept[Refusal](Levels.of(twice, zone("UTC"))).condition == "LEVEL_REPEATED")
  }

  test("levels can be sent to another process") {
    val levels = Levels(chain("1 hour", "1 day", "1 month"), "Europe/Stockholm")
    val bytes = new ByteArrayOutputStream
    new ObjectOutputStream(bytes).writeObject(levels)
    val read =
      new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray)).readObject.asInstanceOf[Levels]
    val t = utc("2026-10-25T12:00:00")
    assert(read.toString == levels.toString && read.base == levels.base && read.earliest == levels.earliest)
    assert(read.granularity(1).slotOf(t) == levels.granularity(1).slotOf(t))
    assert(read.slotsIn(0, read.granularity(1).slotOf(t)) == 25)
  }

  test("hours do not nest in days of a zone at half an hour") {
    assertRefused("LEVEL_NOT_ALIGNED", "Use '30 minutes' in place of '1 hour'", "Asia/Kolkata")(
      "1 minute",
      "1 hour",
      "1 day"
    )
    assertRefused("LEVEL_NOT_ALIGNED", "Use '30 minutes'", "Australia/Lord_Howe")(
      "1 minute",
      "1 hour",
      "1 day"
    )
    assertRefused("LEVEL_NOT_ALIGNED", "leave one of the two out", "Asia/Kathmandu")(
      "1 minute",
      "1 hour",
      "1 day"
    )
    assert(
      Levels(chain("1 minute", "30 minutes", "1 day"), "Asia/Kolkata").fanOut(1) == 50
    ) // clocks were set back in 1942 and 1945
  }

  test("an offset that did not fit only in the past puts off the earliest instant") {
    def earliest(id: String) = Instants.show(Levels(chain("1 hour", "1 day"), id).earliest)
    assert(earliest("America/New_York") == "1883-11-19T05:00:00Z")
    assert(earliest("America/Caracas") == "2016-05-02T04:00:00Z")
    assert(Levels(chain("1 day", "1 month"), "America/Caracas").earliest == Instants.Min)
  }

  test("a day of a zone has up to 25 hours") {
    val levels = Levels(chain("1 hour", "1 day", "1 month", "1 year"), "Europe/Stockholm")
    assert((0 until levels.count).map(levels.fanOut) == Seq(25, 31, 12, 64))
    def hours(date: String) = levels.slotsIn(0, java.time.LocalDate.parse(date).toEpochDay)
    assert(Seq("2026-03-28", "2026-03-29", "2026-10-25").map(hours) == Seq(24, 23, 25))
    val apia = Levels(chain("1 hour", "1 day"), "Pacific/Apia")
    assert(apia.slotsIn(0, java.time.LocalDate.parse("2011-12-30").toEpochDay) == 0)
  }

  /** The menu, and grids that no text can name: of other origins and phases. */
  private def grids(zone: ZoneId): Seq[Granularity] =
    menu.map(Granularity.parse(_, zone)) ++
      Seq(Days(1, 5, zone), Days(2, -7, zone), Days(7, 3, zone), Fixed(Micros.Day, -40 * Micros.Day)) ++
      Seq(Fixed(15 * Micros.Minute, 15 * Micros.Minute), Fixed(Micros.Hour, 5 * Micros.Minute)) ++
      Seq(Fixed(Micros.Hour, 30 * Micros.Minute), Fixed(Micros.Day, 6 * Micros.Hour))

  private def nests(lower: Granularity, upper: Granularity): Boolean =
    upper.nominal > lower.nominal &&
      Nesting.of(lower, upper).exists(n => n.fanOut > 1 && n.fanOut <= Levels.MaxFanOut)

  /** A random walk up through the grids, every step of which nests. */
  private def walk(zone: ZoneId, chain: Seq[Granularity]): Gen[Seq[Granularity]] = {
    val next = grids(zone).filter(nests(chain.last, _))
    if (next.isEmpty) Gen.const(chain)
    else Gen.frequency(1 -> Gen.const(chain), 6 -> Gen.oneOf(next).flatMap(g => walk(zone, chain :+ g)))
  }

  /** The usual levels from some rung on, without those that do not nest. */
  private def ladder(zone: ZoneId): Gen[Seq[Granularity]] = {
    val day = Granularity.parse("1 day", zone)
    val otherDay = day match {
      case Fixed(size, _) => Fixed(size, -40 * size)
      case _ => Days(1, 5, zone)
    }
    def rung(texts: String*) = Gen.oneOf(texts).map(Granularity.parse(_, zone))
    val rungs =
      Seq(rung("1 second", "5 seconds"), rung("1 minute"), rung("15 minutes", "30 minutes", "1 hour")) ++
        Seq(Gen.oneOf(day, otherDay), rung("1 week", "1 month", "2 days"), rung("1 quarter"), rung("1 year"))
    for {
      from <- Gen.choose(0, 4)
      all <- Gen.sequence[Seq[Granularity], Granularity](rungs.drop(from))
    } yield all.tail.foldLeft(all.take(1))((chain, g) => if (nests(chain.last, g)) chain :+ g else chain)
  }

  private def retention(rotation: Granularity): Gen[Option[Span]] = {
    val spans =
      Seq("1 day", "31 days", "1 month", "1 year", "10 years 3 days 5 hours", "1000 years", "146000 years")
    Gen.option(Gen.oneOf(spans.map(Span.parse).filter(_.nominal >= rotation.nominal)))
  }

  private val chains: Gen[Levels] = for {
    zone <- Gen.frequency(1 -> Gen.const(ZoneId.of("UTC")), 5 -> zones)
    base <- Gen.oneOf(grids(zone))
    granularities <- Gen.frequency(3 -> ladder(zone), 1 -> walk(zone, Seq(base)))
    rotations = granularities.drop(1) :+ granularities.last
    kept <- Gen.sequence[Seq[Option[Span]], Option[Span]](rotations.map(retention))
    ascending = kept.sortBy(_.fold(Long.MaxValue)(_.nominal))
  } yield Levels.of(granularities.zip(ascending).map { case (g, r) => Level(g, r) }, zone)

  private val placed: Gen[(Levels, Int, Long)] = for {
    levels <- chains
    level <- Gen.choose(0, levels.top)
    t <- instants(levels.zone)
  } yield (levels, level, t)

  check("a slot lies in its rotation, and the slots of a rotation cover it") {
    forAllNoShrink(placed) { case (levels, level, t) =>
      val g = levels.granularity(level)
      val slot = g.slotOf(t)
      val rotation = levels.rotationOf(level, slot)
      val first = levels.firstSlot(level, rotation)
      val size = levels.slotsIn(level, rotation)
      val (start, end) = (levels.rotationStart(level, rotation), levels.rotationEnd(level, rotation))
      s"$levels in ${levels.zone}, level $level, ${Instants.show(t)}" |:
        (first <= slot && slot < first + size && levels.firstSlot(level, rotation + 1) == first + size &&
          (first until first + size).forall(levels.rotationOf(level, _) == rotation) &&
          (t < levels.earliest || size <= levels.fanOut(level) && levels.fanOut(level) <= 64 &&
            g.start(first) == start && g.start(first + size) == end))
    }
  }

  check("a rotation is the slot of the level above") {
    forAllNoShrink(placed) { case (levels, level, t) =>
      level == levels.top || t < levels.earliest ||
      levels.rotationOf(level, levels.granularity(level).slotOf(t)) == levels.granularity(level + 1).slotOf(t)
    }
  }

  /** Walks back from the rotation of the watermark, as long as a rotation has not ended before the cut. */
  private def naiveHeldFrom(levels: Levels, level: Int, watermark: Long, cut: Long): Option[Long] = {
    val newest = levels.rotationOf(level, levels.granularity(level).slotOf(watermark))
    val walk = Iterator.iterate(newest)(_ - 1).take(5000).toSeq
    val dropped = walk.indexWhere(levels.rotationEnd(level, _) <= cut)
    Option.when(dropped > 0)(levels.rotationStart(level, walk(dropped - 1)))
  }

  check("retention drops a rotation once it has ended long enough ago") {
    forAllNoShrink(placed) { case (levels, level, watermark) =>
      val held = levels.heldFrom(level, watermark)
      levels(level).retention.filter(_ => watermark > Instants.Min) match {
        case None => Prop(held == Instants.Min)
        case Some(retention) =>
          val finer = (0 until level).flatMap(levels(_).retention)
          val cut = (finer :+ retention).map(_.before(watermark, levels.zone)).min
          val naive = if (cut < levels.earliest) None else naiveHeldFrom(levels, level, watermark, cut)
          s"$levels, level $level, ${Instants.show(watermark)}" |:
            (held >= Instants.Min && held <= cut && naive.forall(math.max(Instants.Min, _) == held))
      }
    }
  }

  test("retention by example") {
    val levels = Levels(
      Seq(
        "1 second" -> Some("2 days"),
        "1 minute" -> Some("30 days"),
        "1 hour" -> Some("1 year"),
        "1 day" -> Some("10 years")
      )
    )
    val watermark = utc("2026-03-20T10:15:23")
    def held(level: Int) = Instants.show(levels.heldFrom(level, watermark))
    assert(held(0) == "2026-03-18T10:15:00Z")
    assert(held(1) == "2026-02-18T10:00:00Z")
    assert(held(2) == "2025-03-20T00:00:00Z")
    val rotation = 64 * Micros.Day
    assert(levels.heldFrom(3, watermark) == Math.floorDiv(utc("2016-03-20T10:15:23"), rotation) * rotation)
    for (level <- 0 until levels.count; t <- Seq(Instants.Min, Instants.Min + 1))
      assert(levels.heldFrom(level, t) == Instants.Min)
  }

  check("no level is dropped before a finer one") {
    forAllNoShrink(placed) { case (levels, level, watermark) =>
      val held = levels.heldFrom(level, watermark)
      level == levels.top || held < levels.earliest || levels.heldFrom(level + 1, watermark) <= held
    }
  }

  check("what retention has dropped does not come back") {
    forAllNoShrink(placed.flatMap { case (levels, level, t) =>
      instants(levels.zone).map((levels, level, t, _))
    }) { case (levels, level, a, b) =>
      levels.heldFrom(level, math.min(a, b)) <= levels.heldFrom(level, math.max(a, b))
    }
  }
}
