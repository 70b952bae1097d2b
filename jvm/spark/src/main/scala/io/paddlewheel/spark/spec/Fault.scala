package io.paddlewheel.spark.spec

import org.json4s.{JArray, JObject, JString, JValue}
import org.json4s.jackson.JsonMethods

import io.paddlewheel.Refusal

/** One thing that is wrong with a spec.
  *
  * @param field
  *   where: `keys[0]`, `time`, `levels`, `aggregates.p95`, `windows.1h`
  * @param condition
  *   a stable name for programs; where Spark refused an expression, its own
  * @param message
  *   for people: what was asked, what was found, what to do
  */
final case class Fault(field: String, condition: String, message: String) {
  override def toString: String = s"$field: [$condition] $message"
}

object Fault {

  def apply(field: String, refusal: Refusal): Fault =
    Fault(field, refusal.condition, refusal.getMessage.stripPrefix(s"[${refusal.condition}] "))
}

/** A spec that cannot be used, with everything that is wrong with it. */
class SpecRefused(val faults: Seq[Fault]) extends IllegalArgumentException(SpecRefused.message(faults)) {

  /** The faults for another language: an array of `{field, condition, message}`. */
  def faultsJson: String = {
    val objects = faults.map[JValue] { fault =>
      JObject(
        "field" -> JString(fault.field),
        "condition" -> JString(fault.condition),
        "message" -> JString(fault.message)
      )
    }
    JsonMethods.compact(JArray(objects.toList))
  }
}

private object SpecRefused {

  private def message(faults: Seq[Fault]): String = {
    val count = if (faults.size == 1) "a fault" else s"${faults.size} faults"
    faults.map(fault => s"\n- $fault").mkString(s"The spec has $count:", "", "")
  }
}
