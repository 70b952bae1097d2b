package io.paddlewheel.spark.spec

import scala.collection.mutable.ListBuffer

import com.fasterxml.jackson.core.JsonProcessingException
import com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS
import com.fasterxml.jackson.databind.ObjectMapper
import org.json4s.{JArray, JInt, JNothing, JNull, JObject, JString, JValue}
import org.json4s.jackson.JsonMethods

/** The JSON form of a spec. It is stored with checkpoints, so a change of it needs a new `version`.
  *
  * {{{
  * {"version": 1, "keys": ["station"], "time": "started_at",
  *  "levels": {"1 second": "2 days", "1 hour": null},
  *  "aggregates": {"rides": "count(*)"},
  *  "windows": {"1h": {"kind": "sliding", "range": "1 hour", "slide": "1 second"},
  *              "day": {"kind": "tumbling", "size": "1 day"},
  *              "visit": {"kind": "session", "gap": "30 minutes"},
  *              "grow": {"kind": "cumulative", "size": "1 day", "step": "1 hour"}},
  *  "allowed_lateness": "0 seconds", "time_zone": "UTC", "emission": "every"}
  * }}}
  *
  * The order of levels, aggregates and windows has a meaning, and is kept. The last three may be left out.
  */
private[spec] object SpecJson {

  val Version = 1

  def write(spec: WheelSpec): String = {
    val levels = spec.levels.map { case (granularity, retention) =>
      granularity -> retention.fold[JValue](JNull)(JString(_))
    }
    val json = JObject(
      "version" -> JInt(Version),
      "keys" -> JArray(spec.keys.map(JString(_)).toList),
      "time" -> JString(spec.time),
      "levels" -> JObject(levels.toList),
      "aggregates" -> texts(spec.aggregates: _*),
      "windows" -> JObject(spec.windows.map { case (name, window) => name -> written(window) }.toList),
      "allowed_lateness" -> JString(spec.allowedLateness),
      "time_zone" -> JString(spec.timeZone),
      "emission" -> JString(spec.emission)
    )
    JsonMethods.compact(json)
  }

  private def written(window: SpecWindow): JValue = window match {
    case SpecWindow.Tumbling(size) => texts("kind" -> "tumbling", "size" -> size)
    case SpecWindow.Sliding(range, slide) => texts("kind" -> "sliding", "range" -> range, "slide" -> slide)
    case SpecWindow.Session(gap) => texts("kind" -> "session", "gap" -> gap)
    case SpecWindow.Cumulative(size, step) => texts("kind" -> "cumulative", "size" -> size, "step" -> step)
  }

  private def texts(fields: (String, String)*): JObject =
    JObject(fields.map { case (name, text) => name -> JString(text) }.toList)

  /** A second value after the first is a fault too. */
  private object strict extends JsonMethods {
    private lazy val refusing = JsonMethods.mapper.copy().enable(FAIL_ON_TRAILING_TOKENS)
    override def mapper: ObjectMapper = refusing
  }

  def read(text: String): WheelSpec = {
    val json =
      try strict.parse(text)
      catch {
        case malformed: JsonProcessingException =>
          val found = malformed.getOriginalMessage
          throw new SpecRefused(
            Seq(
              Fault("spec", "SPEC_JSON_MALFORMED", s"The spec is not JSON: $found. Write it anew by toJson.")
            )
          )
      }
    new SpecReader().read(json)
  }
}

/** Reads on after a fault, with an empty text in its place, to name them all in one go. */
private final class SpecReader {
  private val faults = ListBuffer.empty[Fault]

  def read(json: JValue): WheelSpec = {
    val top = new Members("", json)
    top.required("version", version)
    val spec = WheelSpec(
      keys = top.required("keys", texts).getOrElse(Seq.empty),
      time = top.text("time"),
      levels = top.required("levels", named(retention)).getOrElse(Seq.empty),
      aggregates = top.required("aggregates", named(text)).getOrElse(Seq.empty),
      windows = top.required("windows", named(window)).getOrElse(Seq.empty),
      allowedLateness = top.optional("allowed_lateness", text).getOrElse(WheelSpec.NoLateness),
      timeZone = top.optional("time_zone", text).getOrElse(WheelSpec.Utc),
      emission = top.optional("emission", text).getOrElse(WheelSpec.Every)
    )
    top.refuseOthers()
    if (faults.nonEmpty) throw new SpecRefused(faults.toSeq)
    spec
  }

  private def version(field: String, json: JValue): Unit = json match {
    case JInt(number) if number == SpecJson.Version => ()
    case JInt(number) =>
      note(
        field,
        "SPEC_VERSION_UNKNOWN",
        s"The spec has version $number, and this Paddlewheel reads ${SpecJson.Version}. " +
          "Use the Paddlewheel that wrote it, or a newer one."
      )
    case other => mistyped(field, "a whole number", other)
  }

  private def text(field: String, json: JValue): String = json match {
    case JString(text) => text
    case other =>
      mistyped(field, "a text", other)
      ""
  }

  private def texts(field: String, json: JValue): Seq[String] = json match {
    case JArray(elements) => elements.zipWithIndex.map { case (json, i) => text(s"$field[$i]", json) }
    case other =>
      mistyped(field, "an array of texts", other)
      Seq.empty
  }

  private def retention(field: String, json: JValue): Option[String] = json match {
    case JNull => None
    case other => Some(text(field, other))
  }

  private def named[A](value: (String, JValue) => A)(field: String, json: JValue): Seq[(String, A)] =
    new Members(field, json).all.map { case (name, json) => name -> value(s"$field.$name", json) }

  private def window(field: String, json: JValue): SpecWindow = {
    val members = new Members(field, json)
    val read = members.text("kind") match {
      case "tumbling" => SpecWindow.Tumbling(members.text("size"))
      case "sliding" => SpecWindow.Sliding(members.text("range"), members.text("slide"))
      case "session" => SpecWindow.Session(members.text("gap"))
      case "cumulative" => SpecWindow.Cumulative(members.text("size"), members.text("step"))
      case unknown =>
        val kinds = Seq("tumbling", "sliding", "session", "cumulative")
        // An empty text stands for a kind that is missing, or is no text: that has been noted.
        if (unknown.nonEmpty)
          note(
            s"$field.kind",
            "WINDOW_KIND_UNKNOWN",
            s"There is no window of the kind '$unknown'. ${CloseNames.advice(unknown, kinds)}"
          )
        members.ignoreOthers()
        SpecWindow.Tumbling("")
    }
    members.refuseOthers()
    read
  }

  private def mistyped(field: String, wanted: String, found: JValue): Unit = {
    val shown = JsonMethods.compact(found)
    val short = if (shown.length > 60) shown.take(60) + "…" else shown
    note(field, "SPEC_FIELD_TYPE", s"'$field' is $short, where $wanted is wanted. Write $wanted.")
  }

  private def note(field: String, condition: String, message: String): Unit =
    faults += Fault(field, condition, message)

  /** The members of an object, and which of them the reader has asked for. */
  private final class Members(path: String, json: JValue) {
    private val asked = ListBuffer.empty[String]
    private var others = true

    val all: Seq[(String, JValue)] = json match {
      case JObject(members) => members
      case JNothing =>
        note("spec", "SPEC_JSON_MALFORMED", "The spec is empty. Write an object, as toJson does.")
        ignoreOthers()
        Seq.empty
      case other =>
        mistyped(if (path.isEmpty) "spec" else path, "an object", other)
        Seq.empty
    }

    all.map(_._1).diff(all.map(_._1).distinct).distinct.foreach { name =>
      note(at(name), "SPEC_FIELD_REPEATED", s"'${at(name)}' is given more than once. Leave one.")
    }

    private val isObject = json.isInstanceOf[JObject]

    def required[A](name: String, read: (String, JValue) => A): Option[A] = {
      val found = optional(name, read)
      if (found.isEmpty && isObject)
        note(at(name), "SPEC_FIELD_MISSING", s"'${at(name)}' is missing. Add the field '$name'.")
      found
    }

    def optional[A](name: String, read: (String, JValue) => A): Option[A] = {
      asked += name
      all.collectFirst { case (`name`, value) => read(at(name), value) }
    }

    def text(name: String): String = required(name, SpecReader.this.text).getOrElse("")

    /** Of an object that could not be read, nobody knows which members it should have. */
    def ignoreOthers(): Unit = others = false

    def refuseOthers(): Unit = if (others) all.map(_._1).distinct.filterNot(asked.contains).foreach { name =>
      note(
        at(name),
        "SPEC_FIELD_UNKNOWN",
        s"'${at(name)}' is not a field of a spec. ${CloseNames.advice(name, asked.toSeq)}"
      )
    }

    private def at(name: String): String = if (path.isEmpty) name else s"$path.$name"
  }
}
