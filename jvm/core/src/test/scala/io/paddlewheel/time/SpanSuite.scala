package io.paddlewheel.time

import java.time.ZoneOffset

import org.scalacheck.Gen
import org.scalacheck.Prop.{forAllNoShrink, propBoolean}
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.{Checks, Refusal}
import io.paddlewheel.time.Times._

class SpanSuite extends AnyFunSuite with Checks {

  private val stockholm = zone("Europe/Stockholm")

  test("text is read, and named canonically") {
    assert(Span.parse("2 days") == Span(0, 2, 0))
    assert(Span.parse("1 year") == Span(12, 0, 0))
    assert(Span.parse("1 day 12 hours") == Span(0, 1, 12 * Micros.Hour))
    assert(Span.parse("2 weeks, 1 quarter") == Span(3, 14, 0))
    val named = Seq(
      "90 min" -> "90 minutes",
      "10 years" -> "10 years",
      "14 months" -> "14 months",
      "60 s" -> "1 minute"
    ) ++
      Seq("1 year 1 d 1 ms" -> "1 year 1 day 1 millisecond")
    for ((text, name) <- named) assert(Span.parse(text).name == name)
    assert(Span.Zero.name == "0 seconds")
  }

  test("what cannot be a length is refused") {
    for (text <- Seq("0 days", "-1 day", "1 day -1 hours"))
      assert(intercept[Refusal](Span.parse(text)).condition == "AMOUNT_NOT_POSITIVE", text)
    for (text <- Seq("150000 years", "9999999999999999999999 us", "9999999999 days"))
      assert(intercept[Refusal](Span.parse(text)).condition == "AMOUNT_TOO_LARGE", text)
    assert(intercept[Refusal](Span(0, -1, 0)).condition == "AMOUNT_NOT_POSITIVE")
  }

  test("days and months are counted on the wall clock") {
    def before(text: String, span: String) =
      Instants.show(Span.parse(span).before(local(text, stockholm), stockholm))
    assert(before("2026-03-29T12:00:00", "1 day") == "2026-03-28T11:00:00Z")
    assert(before("2026-03-29T12:00:00", "24 hours") == "2026-03-28T10:00:00Z")
    assert(before("2026-03-30T02:30:00", "1 day") == "2026-03-29T01:00:00Z") // 02:30 was skipped
    assert(before("2026-03-31T12:00:00", "1 month") == "2026-02-28T23:00:00Z") // the end of February
    assert(before("2026-03-28T12:00:00", "1 month") == "2026-02-28T11:00:00Z")
  }

  private val spans = for {
    months <- Gen.frequency(2 -> Gen.const(0), 2 -> Gen.choose(0, 30), 1 -> Gen.choose(0, 500000))
    days <- Gen.frequency(2 -> Gen.const(0), 2 -> Gen.choose(0, 400), 1 -> Gen.choose(0, 10000000))
    micros <- Gen.frequency(
      2 -> Gen.const(0L),
      2 -> Gen.choose(0L, Micros.Day),
      1 -> Gen.choose(0L, 1L << 60)
    )
  } yield Span(months, days, micros)

  check("a span keeps the order of instants and the domain") {
    val pairs =
      for (zone <- zones; span <- spans; a <- instants(zone); b <- instants(zone))
        yield (zone, span, a min b, a max b)
    forAllNoShrink(pairs) { case (zone, span, a, b) =>
      val all = Seq(span.before(a, zone), span.before(b, zone), span.after(a, zone), span.after(b, zone))
      s"$span in $zone, ${Instants.show(a)}, ${Instants.show(b)}" |:
        all(0) <= all(1) && all(2) <= all(3) && all.forall(t => Instants.Min <= t && t <= Instants.Max)
    }
  }

  check("near instants keep their order too") {
    val pairs =
      for (zone <- zones; span <- spans; a <- instants(zone); d <- Gen.choose(0L, 2 * Micros.Day))
        yield (zone, span, a, a + d min Instants.Max)
    forAllNoShrink(pairs) { case (zone, span, a, b) =>
      span.before(a, zone) <= span.before(b, zone) && span.after(a, zone) <= span.after(b, zone)
    }
  }

  check("in UTC a day is 24 hours") {
    forAllNoShrink(Gen.choose(0, 100000), instants(ZoneOffset.UTC)) { (days, t) =>
      Span(0, days, 0).before(t, ZoneOffset.UTC) == Span(0, 0, days * Micros.Day).before(t, ZoneOffset.UTC)
    }
  }
}
