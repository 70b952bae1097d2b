package io.paddlewheel.spark.spec

import org.scalacheck.Prop.forAll
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.Checkers

class WheelSpecSuite extends AnyFunSuite with Checkers {

  private val documented =
    """{"version":1,"keys":["station"],"time":"started_at","levels":{"1 second":"2 days","1 hour":null},""" +
      """"aggregates":{"rides":"count(*)"},"windows":{""" +
      """"1h":{"kind":"sliding","range":"1 hour","slide":"1 second"},"day":{"kind":"tumbling","size":"1 day"},""" +
      """"visit":{"kind":"session","gap":"30 minutes"},""" +
      """"grow":{"kind":"cumulative","size":"1 day","step":"1 hour"}},""" +
      """"allowed_lateness":"0 seconds","time_zone":"UTC","emission":"every"}"""

  private def refused(json: String): Seq[Fault] = intercept[SpecRefused](WheelSpec.fromJson(json)).faults

  private def fieldsAndConditions(json: String): Seq[(String, String)] =
    refused(json).map(fault => fault.field -> fault.condition)

  test("any spec is read back as it was written") {
    check(forAll(Specs.random)(spec => WheelSpec.fromJson(spec.toJson) == spec))
  }

  test("the documented form is what is read and written") {
    val spec = WheelSpec.fromJson(documented)
    assert(spec.levels == Seq("1 second" -> Some("2 days"), "1 hour" -> None))
    assert(
      spec.windows == Seq(
        "1h" -> SpecWindow.Sliding("1 hour", "1 second"),
        "day" -> SpecWindow.Tumbling("1 day"),
        "visit" -> SpecWindow.Session("30 minutes"),
        "grow" -> SpecWindow.Cumulative("1 day", "1 hour")
      )
    )
    assert(spec.toJson == documented)
  }

  test("the order of names is kept, whatever it is") {
    val names = (0 until 100).map(i => s"n${(i * 37) % 100}")
    val spec = Specs.rides.copy(aggregates = names.map(_ -> "count(*)"))
    assert(WheelSpec.fromJson(spec.toJson).aggregates.map(_._1) == names)
  }

  test("lateness, time zone and emission may be left out") {
    val short =
      """{"version":1,"keys":[],"time":"t","levels":{"1 hour":null},"aggregates":{},"windows":{}}"""
    val spec = WheelSpec.fromJson(short)
    assert((spec.allowedLateness, spec.timeZone, spec.emission) == (("0 seconds", "UTC", "every")))
  }

  test("what is not JSON, or no object, is refused") {
    assert(fieldsAndConditions("""{"version":1,""") == Seq("spec" -> "SPEC_JSON_MALFORMED"))
    assert(fieldsAndConditions("") == Seq("spec" -> "SPEC_JSON_MALFORMED"))
    assert(fieldsAndConditions("{} {}").map(_._2).contains("SPEC_JSON_MALFORMED"))
    assert(fieldsAndConditions("[]") == Seq("spec" -> "SPEC_FIELD_TYPE"))
  }

  test("missing fields are all named") {
    assert(
      fieldsAndConditions("{}") ==
        Seq("version", "keys", "time", "levels", "aggregates", "windows").map(_ -> "SPEC_FIELD_MISSING")
    )
  }

  test("a field that is not known is refused with the one that may be meant") {
    val faults = refused(documented.replace("\"time_zone\"", "\"timezone\""))
    assert(faults.map(_.field) == Seq("timezone") && faults.head.condition == "SPEC_FIELD_UNKNOWN")
    assert(faults.head.message.contains("'time_zone'"))
    assert(
      fieldsAndConditions(documented.replace("\"gap\":", "\"slide\":\"1 hour\",\"gap\":")) ==
        Seq("windows.visit.slide" -> "SPEC_FIELD_UNKNOWN")
    )
  }

  test("a value of another type is refused where it stands") {
    def typed(from: String, to: String) = fieldsAndConditions(documented.replace(from, to))
    assert(typed("""["station"]""", """["station",7]""") == Seq("keys[1]" -> "SPEC_FIELD_TYPE"))
    assert(typed("""["station"]""", """"station"""") == Seq("keys" -> "SPEC_FIELD_TYPE"))
    assert(typed(""""count(*)"""", "null") == Seq("aggregates.rides" -> "SPEC_FIELD_TYPE"))
    assert(typed(""""2 days"""", "2") == Seq("levels.1 second" -> "SPEC_FIELD_TYPE"))
    assert(typed("""{"rides":"count(*)"}""", """["count(*)"]""") == Seq("aggregates" -> "SPEC_FIELD_TYPE"))
    assert(
      typed("""{"kind":"tumbling","size":"1 day"}""", """"1 day"""") == Seq(
        "windows.day" -> "SPEC_FIELD_TYPE"
      )
    )
    assert(typed(""""version":1""", """"version":"1"""") == Seq("version" -> "SPEC_FIELD_TYPE"))
  }

  test("a repeated field, a kind of window and a version that are not known are refused") {
    assert(
      fieldsAndConditions(documented.replace("\"1 hour\":null", "\"1 second\":null")) ==
        Seq("levels.1 second" -> "SPEC_FIELD_REPEATED")
    )
    assert(
      fieldsAndConditions(documented.replace("\"tumbling\"", "\"tumblng\"")) ==
        Seq("windows.day.kind" -> "WINDOW_KIND_UNKNOWN")
    )
    assert(
      fieldsAndConditions(documented.replace("\"version\":1", "\"version\":2")) ==
        Seq("version" -> "SPEC_VERSION_UNKNOWN")
    )
  }

  test("faults are a list of lines for people, and JSON for programs") {
    val refusal = new SpecRefused(Seq(Fault("time", "A", "say \"x\"."), Fault("levels", "B", "b.")))
    assert(
      refusal.getMessage.linesIterator.toSeq ==
        Seq("The spec has 2 faults:", "- time: [A] say \"x\".", "- levels: [B] b.")
    )
    assert(
      refusal.faultsJson ==
        """[{"field":"time","condition":"A","message":"say \"x\"."},""" +
        """{"field":"levels","condition":"B","message":"b."}]"""
    )
  }
}
