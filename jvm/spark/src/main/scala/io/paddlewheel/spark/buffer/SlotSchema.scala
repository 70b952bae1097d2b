package io.paddlewheel.spark.buffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression}
import org.apache.spark.sql.catalyst.expressions.aggregate._

import io.paddlewheel.column.{Cells, Schema}

/** What a slot holds: the buffers of a spec's aggregate functions, as columns of the engine.
  *
  * Made for one task at a time: merging reuses rows.
  */
final class SlotSchema(functions: IndexedSeq[AggregateFunction]) {
  private val kept =
    functions.indices.map(f => BufferColumns.of(s"${functions(f).prettyName}_$f", functions(f)))

  val schema: Schema = new Schema(kept.flatMap(_.columns))

  private val bound: Array[BoundBuffer] = {
    val firsts = kept.scanLeft(0)(_ + _.columns.size)
    kept.indices.map(f => kept(f).bind(schema, firsts(f))).toArray
  }
  private val sizes: Array[Int] = functions.map(_.aggBufferAttributes.size).toArray
  private val loweredSizes: Array[Int] = functions.map(SlotSchema.lowered(_).size).toArray

  /** Makes position `at` the buffers that start at field `ordinal` of a row of Spark's partial aggregate. */
  def read(row: InternalRow, ordinal: Int, cells: Cells, at: Int): Unit = {
    var field = ordinal
    var f = 0
    while (f < bound.length) {
      bound(f).read(row, field, cells, at)
      field += sizes(f)
      f += 1
    }
  }

  /** The inverse of [[read]]. */
  def write(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit = {
    var field = ordinal
    var f = 0
    while (f < bound.length) {
      bound(f).write(cells, at, row, field)
      field += sizes(f)
      f += 1
    }
  }

  /** Puts the values of [[SlotSchema.lowered]] into fields from `ordinal` on. */
  def lower(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit = {
    var field = ordinal
    var f = 0
    while (f < bound.length) {
      bound(f).lower(cells, at, row, field)
      field += loweredSizes(f)
      f += 1
    }
  }
}

object SlotSchema {

  /** What the result of a function is computed from: its buffer, if an expression over that is the result, or else the
    * result itself.
    */
  def lowered(function: AggregateFunction): Seq[AttributeReference] = function match {
    case declared: DeclarativeAggregate => declared.aggBufferAttributes
    case other => Seq(resultOf(other))
  }

  /** The result, over the attributes of [[lowered]]. */
  def evaluation(function: AggregateFunction): Expression = function match {
    case declared: DeclarativeAggregate => declared.evaluateExpression
    case other => resultOf(other)
  }

  // The same attribute each time: a buffer's own ids are as stable as the function.
  private def resultOf(function: AggregateFunction): AttributeReference =
    AttributeReference("result", function.dataType, nullable = true)(function.aggBufferAttributes.head.exprId)
}
