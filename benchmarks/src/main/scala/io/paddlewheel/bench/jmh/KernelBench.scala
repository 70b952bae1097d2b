package io.paddlewheel.bench.jmh

import java.util.concurrent.TimeUnit

import org.openjdk.jmh.annotations._

import io.paddlewheel.bench.SplitMix64
import io.paddlewheel.column.{Cells, Column, Extreme, Kind, Merge, Schema}

/** Folding 1,024 slots of one column. */
@State(Scope.Thread)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
class KernelBench {

  @Param(Array("wholeSum", "wholeMax", "doubleSum", "doubleMin", "moments", "extremeCount"))
  var column: String = _

  private var schema: Schema = _
  private var slots: Cells = _
  private var total: Cells = _

  @Setup
  def fill(): Unit = {
    schema = Schema(column match {
      case "wholeSum" => Column.Primitive("c", Kind.Long, Merge.Sum)
      case "wholeMax" => Column.Primitive("c", Kind.Long, Merge.Max)
      case "doubleSum" => Column.Primitive("c", Kind.Double, Merge.Sum)
      case "doubleMin" => Column.Primitive("c", Kind.Double, Merge.Min)
      case "moments" => Column.Moments("c")
      case "extremeCount" => Column.ExtremeCount("c", Kind.Long, Extreme.Greatest)
    })
    slots = Cells(schema, KernelBench.Slots)
    total = Cells(schema, 1)
    val random = new SplitMix64(1)
    for (at <- 0 until KernelBench.Slots; lane <- schema.lanes.indices) schema.lanes(lane).kind match {
      case _: Kind.Whole => slots.longs(lane)(at) = 1 + random.below(1000)
      case _ => slots.doubles(lane)(at) = 1.5 + random.below(1000)
    }
  }

  @Benchmark
  def fold(): AnyRef = {
    schema.clear(total, 0)
    schema.fold(total, 0, slots, 0, KernelBench.Slots)
    total
  }
}

object KernelBench {
  final val Slots = 1024
}
