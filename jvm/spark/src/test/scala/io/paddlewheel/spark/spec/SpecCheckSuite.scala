package io.paddlewheel.spark.spec

import org.apache.spark.sql.DataFrame
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.spark.SparkSessions
import io.paddlewheel.time.{Fixed, Micros, Months, Span}
import io.paddlewheel.window.{Emission, Window}

class SpecCheckSuite extends AnyFunSuite with SparkSessions {

  private def faults(spec: WheelSpec, df: DataFrame = rides): Seq[Fault] =
    intercept[SpecRefused](SpecCheck.resolve(df, spec)).faults

  private def assertFault(spec: WheelSpec, field: String, condition: String, says: String*): Unit =
    assertOne(faults(spec), field, condition, says: _*)

  private def assertOne(found: Seq[Fault], field: String, condition: String, says: String*): Unit = {
    assert(found.map(fault => (fault.field, fault.condition)) == Seq((field, condition)), found)
    says.foreach(text => assert(found.head.message.contains(text)))
  }

  private def window(window: SpecWindow): WheelSpec = Specs.rides.copy(windows = Seq("w" -> window))

  test("a spec without faults is resolved to what it names") {
    val spec = Specs.rides.copy(
      keys = Seq("Station", "rider"),
      levels = Specs.rides.levels :+ ("1 day" -> None),
      windows = Specs.rides.windows ++
        Seq("month" -> SpecWindow.Tumbling("1 month"), "grow" -> SpecWindow.Cumulative("1 day", "1 hour")),
      allowedLateness = "90 minutes",
      emission = "latest"
    )
    val resolved = SpecCheck.resolve(rides, spec)
    assert(resolved.spec == spec)
    assert(resolved.keys.map(_.exprId) == rides.queryExecution.analyzed.output.take(2).map(_.exprId))
    assert(resolved.time.exprId == rides.queryExecution.analyzed.output(2).exprId)
    assert((0 until resolved.levels.count).map(resolved.levels.granularity(_).name).last == "1 day")
    assert(
      resolved.windows == Vector(
        "1h" -> Window.Sliding(Micros.Hour, Micros.Second),
        "visit" -> Window.Session(30 * Micros.Minute),
        "month" -> Window.Tumbling(Months(1, java.time.ZoneId.of("UTC"))),
        "grow" -> Window.Cumulative(Fixed(Micros.Day, 0), Micros.Hour)
      )
    )
    assert(resolved.allowedLateness == Span(0, 0, 90 * Micros.Minute))
    assert(resolved.emission == Emission.Latest)
    val row = rides
      .groupBy("station")
      .agg(resolved.aggregates.head._2.as("a"), resolved.aggregates(1)._2.as("b"))
      .head()
    assert((row.getLong(1), row.getDouble(2)) == ((1L, 5.0)))
  }

  test("no keys, a time without a zone and no lateness in any unit are allowed") {
    val spec = Specs.rides.copy(keys = Seq.empty, time = "local_start", allowedLateness = "0 minutes")
    assert(SpecCheck.resolve(rides, spec).allowedLateness == Span.Zero)
  }

  test("a column that is not there is refused with those that may be meant") {
    val unknown = Specs.rides.copy(keys = Seq("statoin"))
    assertFault(unknown, "keys[0]", "COLUMN_UNKNOWN", "'statoin'", "'station'")
    assertFault(Specs.rides.copy(time = "start_at"), "time", "COLUMN_UNKNOWN", "'started_at'")
    val nested = Specs.rides.copy(keys = Seq("station", "place.city"))
    assertFault(nested, "keys[1]", "COLUMN_UNKNOWN", "field of 'place'")
    assertOne(
      faults(Specs.rides, rides.selectExpr("station", "rider AS Station", "started_at", "duration")),
      "keys[0]",
      "COLUMN_AMBIGUOUS"
    )
  }

  test("time must be a timestamp") {
    assertFault(Specs.rides.copy(time = "duration"), "time", "TIME_NOT_A_TIMESTAMP", "BIGINT", "to_timestamp")
  }

  test("keys must have a type that can be grouped by its bytes") {
    Seq("tags", "raw", "nick").foreach { name =>
      assertFault(Specs.rides.copy(keys = Seq(name)), "keys[0]", "KEY_NOT_GROUPABLE", s"'$name'")
    }
    assert(SpecCheck.resolve(rides, Specs.rides.copy(keys = Seq("place"))).keys.size == 1)
  }

  test("faults of levels are the engine's, all of them") {
    val spec = Specs.rides.copy(levels = Seq("1 second" -> Some("soon"), "1 minute" -> None, "1 day" -> None))
    val found = faults(spec)
    assert(found.map(_.field).distinct == Seq("levels"))
    assert(found.map(_.condition) == Seq("DURATION_UNREADABLE", "FAN_OUT_TOO_WIDE"))
    assert(!found.head.message.contains("[DURATION"))
    assertFault(Specs.rides.copy(levels = Seq.empty), "levels", "LEVELS_EMPTY")
    assertFault(Specs.rides.copy(timeZone = "Stockholm"), "time_zone", "ZONE_UNKNOWN", "Europe/Stockholm")
  }

  test("there must be aggregates and windows") {
    assertFault(Specs.rides.copy(aggregates = Seq.empty), "aggregates", "AGGREGATES_EMPTY", "count(*)")
    assertFault(Specs.rides.copy(windows = Seq.empty), "windows", "WINDOWS_EMPTY", "tumbling", "'1 second'")
  }

  test("windows that the levels cannot give are refused") {
    assertFault(window(SpecWindow.Tumbling("1500 ms")), "windows.w", "WINDOW_NOT_A_MULTIPLE")
    assertFault(window(SpecWindow.Sliding("1 hour", "100 ms")), "windows.w", "WINDOW_NOT_A_MULTIPLE")
    assertFault(window(SpecWindow.Session("10 ms")), "windows.w", "WINDOW_NOT_A_MULTIPLE")
    assertFault(window(SpecWindow.Cumulative("1 day", "10 ms")), "windows.w", "WINDOW_NOT_A_MULTIPLE")
    assertFault(window(SpecWindow.Sliding("3 days", "1 second")), "windows.w", "WINDOW_BEYOND_RETENTION")
    val edge = window(SpecWindow.Sliding("2 days", "1 second"))
    assert(SpecCheck.resolve(rides, edge).windows.size == 1)
    // To tell a change, the window before must still be there.
    assertFault(edge.copy(emission = "changed"), "windows.w", "WINDOW_BEYOND_RETENTION")
  }

  test("windows that have no meaning are refused") {
    assertFault(window(SpecWindow.Sliding("1 hour", "0 seconds")), "windows.w", "AMOUNT_NOT_POSITIVE")
    assertFault(window(SpecWindow.Sliding("1 hour", "2 hours")), "windows.w", "WINDOW_SLIDE", "'2 hours'")
    assertFault(window(SpecWindow.Session("-5 minutes")), "windows.w", "AMOUNT_NOT_POSITIVE")
    assertFault(window(SpecWindow.Cumulative("1 hour", "1 day")), "windows.w", "WINDOW_STEP", "'1 day'")
    assertFault(window(SpecWindow.Tumbling("an hour")), "windows.w", "DURATION_UNREADABLE")
    assertFault(window(SpecWindow.Tumbling("1 hour 30 min")), "windows.w", "GRANULARITY_COMPOUND", "The size")
    assertFault(window(SpecWindow.Sliding("1 month", "1 day")), "windows.w", "LENGTH_NOT_FIXED", "months")
    assert(faults(window(SpecWindow.Sliding("long", "short"))).size == 2)
  }

  test("a day is 24 hours in UTC, and only there") {
    val daily = window(SpecWindow.Sliding("1 day", "1 hour"))
    assert(SpecCheck.resolve(rides, daily).windows.head._2 == Window.Sliding(Micros.Day, Micros.Hour))
    assertFault(
      daily.copy(timeZone = "Europe/Stockholm"),
      "windows.w",
      "LENGTH_NOT_FIXED",
      "'24 hours'"
    )
  }

  test("lateness and emission are read") {
    def late(text: String) = Specs.rides.copy(allowedLateness = text)
    assertFault(late("-1 minute"), "allowed_lateness", "AMOUNT_NOT_POSITIVE", "'0 seconds'")
    assertFault(late("soon"), "allowed_lateness", "DURATION_UNREADABLE")
    assertFault(late("0 parsecs"), "allowed_lateness", "UNIT_UNKNOWN")
    assertFault(Specs.rides.copy(emission = "lastest"), "emission", "EMISSION_UNKNOWN", "'latest'")
  }

  test("names of the output must differ, and none may be empty") {
    def aggregates(names: String*) = Specs.rides.copy(aggregates = names.map(_ -> "count(*)"))
    assertFault(aggregates("n", "N"), "aggregates.N", "NAME_REPEATED", "aggregates.n")
    assertFault(aggregates("STATION"), "aggregates.STATION", "NAME_REPEATED", "keys[0]")
    assertFault(aggregates("Window"), "aggregates.Window", "NAME_RESERVED")
    assertFault(aggregates("window_name"), "aggregates.window_name", "NAME_RESERVED")
    assertFault(aggregates(" "), "aggregates. ", "NAME_EMPTY")
    assertFault(Specs.rides.copy(keys = Seq("station", "STATION")), "keys[1]", "NAME_REPEATED")
    assertFault(Specs.rides.copy(keys = Seq("")), "keys[0]", "NAME_EMPTY")
    assertFault(Specs.rides.copy(time = ""), "time", "NAME_EMPTY")
    assert(
      SpecCheck.resolve(rides, aggregates("window_name").copy(windows = Specs.rides.windows.take(1))) != null
    )
    val twice = Specs.rides.windows.take(1) ++ Specs.rides.windows.take(1)
    assertFault(Specs.rides.copy(windows = twice), "windows.1h", "NAME_REPEATED")
  }

  test("names differ by case where Spark says so") {
    val spec = Specs.rides.copy(aggregates = Seq("n" -> "count(*)", "N" -> "count(*)"))
    spark.conf.set("spark.sql.caseSensitive", "true")
    try {
      assert(SpecCheck.resolve(rides, spec).aggregates.size == 2)
      assertFault(spec.copy(keys = Seq("Station")), "keys[0]", "COLUMN_UNKNOWN", "'station'")
    } finally spark.conf.unset("spark.sql.caseSensitive")
  }

  test("a stream needs a watermark on its time column") {
    val says = """df.withWatermark("started_at", "10 minutes")"""
    assertOne(faults(Specs.rides, stream), "time", "WATERMARK_MISSING", says, "has none")
    val onAnother = stream.withWatermark("arrived_at", "1 minute")
    assertOne(faults(Specs.rides, onAnother), "time", "WATERMARK_MISSING", says, "'arrived_at'")
    val local = Specs.rides.copy(time = "local_start")
    assertOne(faults(local, stream), "time", "WATERMARK_MISSING", "cast 'local_start' to timestamp")
    val resolved = SpecCheck.resolve(stream.withWatermark("started_at", "1 minute"), Specs.rides)
    assert(resolved.time.name == "started_at" && resolved.time.metadata.contains("spark.watermarkDelayMs"))
  }

  test("all faults are found at once") {
    val spec = WheelSpec(
      keys = Seq("nowhere", "tags"),
      time = "duration",
      levels = Seq("1 second" -> Some("1 second"), "1 minute" -> None),
      aggregates = Seq("a" -> "count(DISTINCT rider)", "b" -> "sum(", "window" -> "max(fare)"),
      windows = Seq("w" -> SpecWindow.Sliding("1 hour", "soon")),
      allowedLateness = "-1 day",
      timeZone = "UTC",
      emission = "never"
    )
    assert(
      faults(spec).map(_.field).toSet ==
        Set("keys[0]", "keys[1]", "time", "levels", "aggregates.a", "aggregates.b", "aggregates.window") ++
        Set("windows.w", "allowed_lateness", "emission")
    )
  }
}
