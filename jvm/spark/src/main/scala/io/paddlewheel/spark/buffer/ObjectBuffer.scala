package io.paddlewheel.spark.buffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate

import io.paddlewheel.column.{Cells, Column, Combiner, Schema}

/** A function whose buffer is an object only it understands: sketches, sets, maps, digests. */
private[buffer] final case class ObjectBuffer(name: String, function: TypedImperativeAggregate[AnyRef])
    extends BufferColumns {

  def columns: Seq[Column] = Seq(Column.Combined(name, new ObjectCombiner(function)))

  def bind(schema: Schema, first: Int): BoundBuffer = {
    val lane = schema.lane(first)
    new BoundBuffer {
      def read(row: InternalRow, ordinal: Int, cells: Cells, at: Int): Unit =
        cells.objects(lane)(at) = function.deserialize(row.getBinary(ordinal))

      def write(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit =
        row.update(ordinal, function.serialize(cells.objects(lane)(at)))

      override def lower(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit =
        row.update(ordinal, function.eval(cells.objects(lane)(at)))
    }
  }
}

private[buffer] final class ObjectCombiner(function: TypedImperativeAggregate[AnyRef]) extends Combiner {
  def name: String = function.prettyName

  def merge(into: AnyRef, from: AnyRef): AnyRef = {
    val merged = function.merge(into, from)
    // Some hand back the other side where their own is empty; the engine goes on using that.
    if (merged eq from) copy(from) else merged
  }

  def copy(value: AnyRef): AnyRef = fromBytes(toBytes(value))

  def toBytes(value: AnyRef): Array[Byte] = function.serialize(value)

  def fromBytes(bytes: Array[Byte]): AnyRef = function.deserialize(bytes)
}
