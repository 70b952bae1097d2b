package io.paddlewheel.spark.operator

import io.paddlewheel.column.Schema
import io.paddlewheel.spark.buffer.SlotSchema
import io.paddlewheel.window.{Window, WindowSet}

/** What a blueprint is worked out to, in a task: generated code included. One thread at a time. */
final class WheelParts(val blueprint: Blueprint) {
  val slots = new SlotSchema(blueprint.functions)
  val schema: Schema = slots.schema
  val windowRows = new WindowRows(blueprint, slots)

  /** Windows whose bounds are given by the clock, with their places in the blueprint. */
  val spans: IndexedSeq[(Int, (String, Window))] = blueprint.windows.indices.collect {
    case w if gapOf(w).isEmpty => w -> blueprint.windows(w)
  }
  val windowSet = new WindowSet(blueprint.levels, schema, spans.map(_._2), blueprint.emission)

  /** Places and gaps of the session windows. */
  val sessionWindows: Array[(Int, Long)] =
    blueprint.windows.indices.flatMap(w => gapOf(w).map(w -> _)).toArray

  private def gapOf(window: Int): Option[Long] = blueprint.windows(window)._2 match {
    case Window.Session(gap) => Some(gap)
    case _ => None
  }
}
