package io.paddlewheel.spark.spec

/** What a wheel is asked to keep and to give out, as plain data: nothing here has been checked.
  *
  * @param levels
  *   granularity and retention, base first; no retention is for ever
  * @param aggregates
  *   name and SQL, in the order of the output
  */
final case class WheelSpec(
    keys: Seq[String],
    time: String,
    levels: Seq[(String, Option[String])],
    aggregates: Seq[(String, String)],
    windows: Seq[(String, SpecWindow)],
    allowedLateness: String = WheelSpec.NoLateness,
    timeZone: String = WheelSpec.Utc,
    emission: String = WheelSpec.Every
) {

  def toJson: String = SpecJson.write(this)
}

object WheelSpec {
  private[spec] val NoLateness = "0 seconds"
  private[spec] val Utc = "UTC"
  private[spec] val Every = "every"

  /** Reads what `toJson` wrote; a text that is not a spec raises [[SpecRefused]] with every fault named. */
  def fromJson(json: String): WheelSpec = SpecJson.read(json)
}

/** A window as a spec has it: its lengths are text, such as `15 minutes`. */
sealed trait SpecWindow

object SpecWindow {
  final case class Tumbling(size: String) extends SpecWindow
  final case class Sliding(range: String, slide: String) extends SpecWindow
  final case class Session(gap: String) extends SpecWindow
  final case class Cumulative(size: String, step: String) extends SpecWindow
}
