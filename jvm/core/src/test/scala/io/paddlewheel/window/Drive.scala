package io.paddlewheel.window

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import org.scalatest.Assertions._

import io.paddlewheel.time.{Instants, Levels}
import io.paddlewheel.wheel.{Outcome, PackedRotation, RotationSource, Turn, Wheel}

/** One key's wheel and windows, driven as a query drives them, beside all rows that the wheel has taken.
  *
  * If `stored`, the wheel keeps in memory only what windows need, and is forgotten whenever it is idle; the rest of it is in
  * a map of rotations, as a query has it in its state.
  */
final class Drive(
    val levels: Levels,
    val measures: Measures,
    val windows: IndexedSeq[Window],
    emission: Emission = Emission.Every,
    stored: Boolean = false
) {
  val set =
    new WindowSet(levels, measures.schema, windows.zipWithIndex.map { case (w, n) => (s"w$n", w) }, emission)
  private val naive = new NaiveWindows(measures, windows, emission)
  private val rows = ArrayBuffer.empty[Row]
  private val state = mutable.Map.empty[(Int, Long), Array[Byte]]
  private val source: RotationSource =
    if (stored) (level, rotation) => state.getOrElse((level, rotation), null) else null
  var wheel = new Wheel(levels, measures.schema, source)
  var turning: Windows = set.of(wheel, wheel.watermark)

  def merge(row: Row): Outcome = {
    val outcome = wheel.merge(levels.base.slotOf(row.time), measures.row(row.value), 0)
    if (outcome ne Outcome.Expired) rows += row.copy(time = levels.base.floor(row.time))
    outcome
  }

  /** One batch: what the windows gave out, and what they should have. */
  def batch(added: Seq[Row], watermark: Long): (Seq[Emitted], Seq[Emitted]) = {
    val done = turning.emitted
    if (added.map(merge).contains(Outcome.Repaired)) turning.forget()
    val next = if (stored) turning.nextEnd() else Long.MinValue
    if (stored) fetchForSealing(watermark)
    wheel.advance(watermark)
    val found = ArrayBuffer.empty[Emitted]
    turning.advance((w, start, end, value) => found += Emitted(w, start, end, measures.read(value, 0)))
    if (stored) {
      assert(found.isEmpty || next <= wheel.watermark, s"next end $next")
      store()
    } else wheel.expire(turning.needsFrom)
    (found.toSeq.sortBy(_.window), naive.advance(rows.toSeq, done, wheel.watermark))
  }

  /** Forgets the working state. */
  def restart(): Unit = turning = set.of(wheel, turning.emitted)

  /** Forgets it, and brings the wheel back from bytes. */
  def restore(): Unit = {
    if (stored) recover() else wheel = Wheel.restore(levels, measures.schema, wheel.pack())
    restart()
  }

  private def fetchForSealing(watermark: Long): Unit =
    if (wheel.watermark > Instants.Min && watermark > wheel.watermark) {
      val (from, until) = (new Turn(levels, wheel.watermark), new Turn(levels, watermark))
      state.keys.toSeq.sorted.foreach { case (level, rotation) =>
        val passed = level > 0 && rotation >= from.open(level) && rotation < until.open(level)
        if (passed && !wheel.holds(level, rotation)) wheel.adopt(level, rotation, state((level, rotation)))
      }
    }

  private def store(): Unit = {
    wheel.takeChanges { (level, rotation, slots, isNew) =>
      assert(isNew == !state.contains((level, rotation)), s"level $level, rotation $rotation")
      state((level, rotation)) = PackedRotation.pack(slots.bitmap, slots.cells)
    }
    (0 until levels.count).foreach(level => wheel.release(level, neededRotation(level)))
    if (turning.nextEnd() == Long.MaxValue && wheel.nextSeal == Long.MaxValue) {
      wheel = atWatermark()
      restart()
    }
  }

  private def recover(): Unit = {
    val back = atWatermark()
    val open = new Turn(levels, math.max(Instants.Min, wheel.watermark)).open
    state.keys.toSeq.sorted.foreach { case (level, rotation) =>
      val live = level == 0 && (wheel.watermark <= Instants.Min || rotation >= open(level))
      if (live || rotation >= neededRotation(level)) back.adopt(level, rotation, state((level, rotation)))
    }
    wheel = back
  }

  private def atWatermark(): Wheel = {
    val fresh = new Wheel(levels, measures.schema, source)
    fresh.advance(wheel.watermark)
    fresh
  }

  private def neededRotation(level: Int): Long =
    levels.rotationOf(level, levels.granularity(level).slotOf(set.neededFrom(level, turning.emitted)))

  def agree(found: Seq[Emitted], expected: Seq[Emitted]): Boolean =
    found.size == expected.size && found.zip(expected).forall { case (f, e) =>
      f.copy(value = Nil) == e.copy(value = Nil) && measures.agree(f.value, e.value)
    }
}
