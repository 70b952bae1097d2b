package io.paddlewheel.bench

import io.paddlewheel.column.{Cells, Column, Kind, Merge, Schema}
import io.paddlewheel.time.{Levels, Micros}
import io.paddlewheel.wheel.Wheel

/** The wheel all comparisons are made with: one sum of whole numbers, seconds to weeks, everything kept. */
object SumWheel {
  val levels: Levels = Levels(Seq("1 second", "1 minute", "1 hour", "1 day", "1 week").map(_ -> None))
  val schema: Schema = Schema(Column.Primitive("sum", Kind.Long, Merge.Sum))

  def empty(): Wheel = new Wheel(levels, schema)

  /** All events, the watermark moved after every block to where the block would end if it were in order. */
  def fill(wheel: Wheel, arrivals: Workload.Arrivals, intake: Intake = Intake.Singly): Unit = {
    var watermark = Workload.Begin
    var at = 0
    while (at < arrivals.count) {
      val end = math.min(at + Workload.Block, arrivals.count)
      intake(wheel, arrivals.instants, arrivals.values, at, end)
      watermark += Workload.Block * Micros.Second
      wheel.advance(watermark)
      at = end
    }
  }

  /** So many days with one event per second, all sealed. */
  def filled(days: Int): Wheel = {
    val wheel = empty()
    fill(wheel, Workload.arrivals(days, 0))
    wheel
  }

  /** Everything a wheel took. */
  def total(wheel: Wheel): Long = {
    val cells = Cells(schema, 1)
    wheel.landmark(cells, 0)
    cells.longs(0)(0)
  }
}
