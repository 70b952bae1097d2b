package io.paddlewheel.spark.spec

import org.scalacheck.Prop.forAll
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.Checkers

class SpecChangeSuite extends AnyFunSuite with Checkers {

  private val stored = Specs.rides

  private def fields(next: WheelSpec): Seq[String] = SpecChange.faults(stored, next).map(_.field)

  private def onlyFault(next: WheelSpec): Fault = {
    val faults = SpecChange.faults(stored, next)
    assert(faults.size == 1, faults)
    faults.head
  }

  private def retained(first: Option[String]): WheelSpec =
    stored.copy(levels = stored.levels.updated(0, "1 second" -> first))

  test("any spec may go on as it is") {
    check(forAll(Specs.random)(spec => SpecChange.faults(spec, spec).isEmpty))
  }

  test("windows, lateness and emission may change") {
    val next = stored.copy(
      windows = Seq("day" -> SpecWindow.Tumbling("1 day")),
      allowedLateness = "1 hour",
      emission = "changed"
    )
    assert(fields(next) == Seq.empty)
    assert(
      fields(stored.copy(windows = stored.windows :+ ("day" -> SpecWindow.Tumbling("1 day")))) == Seq.empty
    )
  }

  test("what decides the meaning of stored slots may not, and every change is named") {
    val next = stored.copy(
      keys = Seq("station", "rider"),
      time = "ended_at",
      timeZone = "Europe/Stockholm",
      levels = stored.levels.drop(1),
      aggregates = Seq("rides" -> "count(1)", "longest" -> "max(duration)")
    )
    assert(
      fields(next) ==
        Seq(
          "keys",
          "time",
          "time_zone",
          "levels",
          "aggregates.rides",
          "aggregates.mean",
          "aggregates.longest"
        )
    )
  }

  test("a fault has both values and the remedy") {
    val fault = onlyFault(stored.copy(time = "ended_at"))
    assert(fault.message.contains("'started_at'") && fault.message.contains("'ended_at'"))
    assert(fault.message.contains("new checkpoint") && fault.message.contains("old value back"))
    val removed = onlyFault(stored.copy(aggregates = stored.aggregates.take(1)))
    assert(removed.message.contains("'avg(duration)'") && removed.message.contains("missing"))
  }

  test("keys and aggregates keep their order") {
    assert(fields(stored.copy(aggregates = stored.aggregates.reverse)) == Seq("aggregates"))
    val two = stored.copy(keys = Seq("a", "b"))
    assert(SpecChange.faults(two, two.copy(keys = Seq("b", "a"))).map(_.field) == Seq("keys"))
  }

  test("lengths are compared by what they mean") {
    val next = stored.copy(
      levels = Seq("1000 ms" -> Some("48 hours"), "60 seconds" -> Some("720 hours"), "60 minutes" -> None),
      timeZone = "Etc/UTC"
    )
    assert(fields(next) == Seq.empty)
    val weeks = stored.copy(levels = Seq("7 days" -> None))
    assert(
      SpecChange.faults(weeks, weeks.copy(levels = Seq("1 week" -> None))).map(_.field) == Seq("levels"),
      "a week starts on Monday, and 7 days from the epoch on a Thursday"
    )
  }

  test("retention may grow, and may not shrink") {
    assert(fields(retained(Some("3 days"))) == Seq.empty)
    assert(fields(retained(None)) == Seq.empty)
    val shorter = onlyFault(retained(Some("47 hours")))
    assert((shorter.field, shorter.condition) == (("levels.1 second", "RETENTION_SHORTENED")))
    assert(shorter.message.contains("'2 days'") && shorter.message.contains("'47 hours'"))
    val forEver = onlyFault(stored.copy(levels = stored.levels.updated(2, "1 hour" -> Some("100 years"))))
    assert(forEver.field == "levels.1 hour" && forEver.message.contains("for ever"))
  }

  test("a month is not always as long as 30 days, but a year is as long as 365") {
    assert(SpecChange.faults(retained(Some("30 days")), retained(Some("1 month"))).nonEmpty)
    assert(SpecChange.faults(retained(Some("365 days")), retained(Some("1 year"))).isEmpty)
    assert(SpecChange.faults(retained(Some("1 month")), retained(Some("31 days"))).isEmpty)
  }
}
