package io.paddlewheel.bench

import io.paddlewheel.column.Cells
import io.paddlewheel.wheel.{Late, Wheel}

/** How events that lie in memory are handed to a wheel. The peer takes them one at a time and no other way; ours takes
  * those between two watermarks in one call, as batches reach it in Spark, or one at a time. Both are shown.
  */
sealed abstract class Intake(val name: String) {
  def apply(wheel: Wheel, instants: Array[Long], values: Cells, begin: Int, end: Int): Unit
}

object Intake {

  object Singly extends Intake("one at a time") {
    def apply(wheel: Wheel, instants: Array[Long], values: Cells, begin: Int, end: Int): Unit = {
      var at = begin
      while (at < end) {
        wheel.insert(instants(at), values, at)
        at += 1
      }
    }
  }

  object Together extends Intake("in one call per watermark") {
    private val late = new Late

    def apply(wheel: Wheel, instants: Array[Long], values: Cells, begin: Int, end: Int): Unit =
      wheel.insert(instants, values, begin, end, late)
  }

  val all: Seq[Intake] = Seq(Singly, Together)
}
