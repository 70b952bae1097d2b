package io.paddlewheel.window

import scala.collection.mutable.ArrayBuffer

import io.paddlewheel.time.Levels
import io.paddlewheel.wheel.{Outcome, Wheel}

/** One key's wheel and windows, driven as a query drives them, beside all rows that the wheel has taken. */
final class Drive(
    val levels: Levels,
    val measures: Measures,
    val windows: IndexedSeq[Window],
    emission: Emission = Emission.Every
) {
  val set =
    new WindowSet(levels, measures.schema, windows.zipWithIndex.map { case (w, n) => (s"w$n", w) }, emission)
  private val naive = new NaiveWindows(measures, windows, emission)
  private val rows = ArrayBuffer.empty[Row]
  var wheel = new Wheel(levels, measures.schema)
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
    wheel.advance(watermark)
    val found = ArrayBuffer.empty[Emitted]
    turning.advance((w, start, end, value) => found += Emitted(w, start, end, measures.read(value, 0)))
    wheel.expire(turning.needsFrom)
    (found.toSeq.sortBy(_.window), naive.advance(rows.toSeq, done, wheel.watermark))
  }

  /** Forgets the working state. */
  def restart(): Unit = turning = set.of(wheel, turning.emitted)

  /** Forgets it, and brings the wheel back from bytes. */
  def restore(): Unit = {
    wheel = Wheel.restore(levels, measures.schema, wheel.pack())
    restart()
  }

  def agree(found: Seq[Emitted], expected: Seq[Emitted]): Boolean =
    found.size == expected.size && found.zip(expected).forall { case (f, e) =>
      f.copy(value = Nil) == e.copy(value = Nil) && measures.agree(f.value, e.value)
    }
}
