package io.paddlewheel

import io.paddlewheel.column.{Cells, Schema}
import io.paddlewheel.time.{Instants, Levels}
import io.paddlewheel.wheel.{Outcome, Turn, Wheel}

/** A wheel and an oracle that are given the same rows. */
final class Mill(val levels: Levels, val schema: Schema) {
  var wheel = new Wheel(levels, schema)
  val oracle = new Oracle(schema.columns)

  def run(steps: Iterable[Step]): this.type = {
    steps.foreach {
      case Step.Row(instant, values) => row(instant, values)
      case Step.Advance(watermark, true) => wheel.advance(new Turn(levels, watermark))
      case Step.Advance(watermark, false) => wheel.advance(watermark)
      case Step.Expire => wheel.expire()
      case Step.Restore => wheel = Wheel.restore(levels, schema, wheel.pack())
    }
    this
  }

  def row(instant: Long, values: Seq[Any]): Outcome = {
    val cells = Plain.cells(schema, values)
    val outcome =
      if (instant % 2 == 0) wheel.insert(instant, cells, 0)
      else wheel.merge(levels.base.slotOf(instant), cells, 0)
    if (outcome != Outcome.Expired) oracle.add(instant, values)
    outcome
  }

  /** What retention says, from its definition: a rotation goes once it ended that long ago; no level before a finer one. */
  def held(level: Int, instant: Long): Boolean = {
    val cuts = (0 to level).map(l => levels(l).retention.map(_.before(wheel.watermark, levels.zone)))
    val rotation = levels.rotationOf(level, levels.granularity(level).slotOf(instant))
    wheel.watermark <= Instants.Min || cuts.exists(_.forall(levels.rotationEnd(level, rotation) > _))
  }

  /** Whether the level knows all of the slot that contains the instant: levels above the base know sealed time only. */
  def known(level: Int, instant: Long): Boolean =
    level == 0 || wheel.watermark > Instants.Min &&
      levels.granularity(level).end(levels.granularity(level).slotOf(instant)) <= wheel.watermark

  /** The slot of a level as the wheel has it. */
  def slot(level: Int, slot: Long): Option[Seq[Any]] = Mill.slot(wheel, level, slot)
}

object Mill {

  def of(program: Program): Mill = new Mill(program.levels, program.schema).run(program.steps)

  def slot(wheel: Wheel, level: Int, slot: Long): Option[Seq[Any]] = {
    val rotation = wheel.levels.rotationOf(level, slot)
    val index = (slot - wheel.levels.firstSlot(level, rotation)).toInt
    val into = Cells(wheel.schema, 1)
    wheel.schema.clear(into, 0)
    Option.when(wheel.fold(into, 0, level, rotation, index, rotation, index + 1))(Plain.read(into, 0))
  }

  /** All slots of a level that are present, by number. */
  def slots(wheel: Wheel, level: Int): Map[Long, Seq[Any]] =
    wheel
      .rotations(level)
      .flatMap { number =>
        val first = wheel.levels.firstSlot(level, number)
        wheel.rotation(level, number).iterator.flatMap { slots =>
          val present = (0 until 64).filter(k => (slots.bitmap >>> k & 1L) != 0)
          present.zipWithIndex.map { case (k, at) => (first + k) -> Plain.read(slots.cells, at) }
        }
      }
      .toMap
}
