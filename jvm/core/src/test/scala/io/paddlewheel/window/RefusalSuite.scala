package io.paddlewheel.window

import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.Refusal
import io.paddlewheel.time.{Fixed, Granularity, Levels, Micros, Times}
import io.paddlewheel.time.Micros.{Day, Hour, Minute, Second}

/** Windows that cannot be answered exactly are refused when they are declared, by name. */
class RefusalSuite extends AnyFunSuite {

  private val levels = Levels(
    Seq("1 second" -> Some("1 minute"), "1 minute" -> Some("2 hours"), "1 hour" -> None)
  )

  private def condition(on: Levels, window: Window, emission: Emission = Emission.Every): Option[String] =
    try {
      new WindowSet(on, Measures(Measure.Sum).schema, IndexedSeq("w" -> window), emission)
      None
    } catch {
      case refused: Refusal =>
        assert(refused.getMessage.contains("'w'"))
        Some(refused.condition)
    }

  private def refuses(name: String, window: Window, expected: String): Unit =
    test(name)(assert(condition(levels, window).contains(expected)))

  refuses("a slide of nothing", Window.Sliding(Minute, 0), "WINDOW_SLIDE")
  refuses("a slide backwards", Window.Sliding(Minute, -Second), "WINDOW_SLIDE")
  refuses("a slide longer than the range", Window.Sliding(Minute, 2 * Minute), "WINDOW_SLIDE")
  refuses(
    "a range that is no multiple of the base",
    Window.Sliding(Minute + 1, Second),
    "WINDOW_NOT_A_MULTIPLE"
  )
  refuses("a slide that is no multiple of the base", Window.Sliding(Minute, 1500000), "WINDOW_NOT_A_MULTIPLE")
  refuses("a tumbling window of half a slot", Window.Tumbling(Fixed(500000, 0)), "WINDOW_NOT_A_MULTIPLE")
  refuses("a gap that is no multiple of the base", Window.Session(1500000), "WINDOW_NOT_A_MULTIPLE")
  refuses("a gap of nothing", Window.Session(0), "WINDOW_NOT_A_MULTIPLE")
  refuses(
    "a grid that lies across the slots",
    Window.Tumbling(Fixed(Minute, 500000)),
    "WINDOW_NOT_A_MULTIPLE"
  )
  refuses("a step of nothing", Window.Cumulative(Fixed(Minute, 0), 0), "WINDOW_NOT_A_MULTIPLE")
  refuses("a step of half a slot", Window.Cumulative(Fixed(Minute, 0), 500000), "WINDOW_NOT_A_MULTIPLE")
  refuses(
    "a window of seconds for longer than they are kept",
    Window.Sliding(61 * Second, Second),
    "WINDOW_BEYOND_RETENTION"
  )
  refuses(
    "a window of minutes for longer than they are kept",
    Window.Sliding(3 * Hour, Minute),
    "WINDOW_BEYOND_RETENTION"
  )
  refuses("a gap longer than the base is kept", Window.Session(2 * Minute), "WINDOW_BEYOND_RETENTION")
  refuses(
    "cumulative steps of a level not kept so long",
    Window.Cumulative(Fixed(Day, 0), Minute),
    "WINDOW_BEYOND_RETENTION"
  )
  refuses(
    "a tumbling grid of seconds not kept so long",
    Window.Tumbling(Fixed(61 * Second, Second)),
    "WINDOW_BEYOND_RETENTION"
  )

  test("what just fits is taken") {
    val fits = Seq(
      Window.Sliding(Minute, Second),
      Window.Sliding(2 * Hour, Minute),
      Window.Sliding(400 * Day, Hour),
      Window.Session(Minute),
      Window.Cumulative(Fixed(Minute, 0), 7 * Second),
      Window.Tumbling(Fixed(Minute, Second))
    )
    fits.foreach(window => assert(condition(levels, window).isEmpty, window))
  }

  test("to emit what changed, the window before must be kept too") {
    val kept = Levels(Seq("1 second" -> Some("1 minute")))
    assert(
      condition(kept, Window.Sliding(Minute, Second), Emission.Changed).contains("WINDOW_BEYOND_RETENTION")
    )
    assert(condition(kept, Window.Sliding(59 * Second, Second), Emission.Changed).isEmpty)
    assert(
      condition(kept, Window.Tumbling(Fixed(31 * Second, Second)), Emission.Changed)
        .contains("WINDOW_BEYOND_RETENTION")
    )
    assert(condition(kept, Window.Cumulative(Fixed(Minute, 0), Second), Emission.Changed).isEmpty)
  }

  test("a retention of a month holds the shortest month, whatever month it is declared in") {
    val days = Levels(Seq("1 day" -> Some("1 month")))
    assert(condition(days, Window.Sliding(28 * Day, Day)).isEmpty)
    assert(condition(days, Window.Sliding(29 * Day, Day)).contains("WINDOW_BEYOND_RETENTION"))
    assert(condition(days, Window.Tumbling(Granularity.parse("1 month"))).isEmpty)
  }

  test("a retention of a day holds 23 hours in a zone that changes its clocks") {
    val hours = Levels(Seq("1 hour" -> Some("1 day"), "1 day" -> None), "Europe/Stockholm")
    assert(condition(hours, Window.Sliding(23 * Hour, Hour)).isEmpty)
    assert(condition(hours, Window.Sliding(24 * Hour, Hour)).contains("WINDOW_BEYOND_RETENTION"))
    assert(
      condition(
        hours,
        Window.Cumulative(Granularity.parse("1 day", Times.zone("Europe/Stockholm")), Hour)
      ).isEmpty
    )
  }

  test("days of another zone do not nest") {
    val hours = Levels(Seq("1 hour" -> None, "1 day" -> None), "Europe/Stockholm")
    assert(
      condition(hours, Window.Tumbling(Granularity.parse("1 day", Times.zone("Asia/Kolkata"))))
        .contains("WINDOW_NOT_A_MULTIPLE")
    )
    assert(condition(hours, Window.Sliding(Micros.Milli, Micros.Milli)).contains("WINDOW_NOT_A_MULTIPLE"))
  }
}
