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
        cells.objects(lane)(at) = new HeldObject(function, row.getBinary(ordinal))

      def write(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit =
        row.update(ordinal, held(cells, at).bytes)

      override def lower(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit =
        row.update(ordinal, function.eval(held(cells, at).buffer))

      private def held(cells: Cells, at: Int) = cells.objects(lane)(at).asInstanceOf[HeldObject]
    }
  }
}

/** A buffer as its bytes, or as an object that was merged, or both.
  *
  * Functions may tell the two apart: what Spark merges into was made by `createAggregationBuffer`, and what it merges from by
  * `deserialize`, never the other way round. Here too.
  */
private[buffer] final class HeldObject(
    function: TypedImperativeAggregate[AnyRef],
    private var packed: Array[Byte]
) {
  private var merged: AnyRef = null

  /** Not to be changed: copies share them. */
  def bytes: Array[Byte] = {
    // Some functions write into the same array each time.
    if (packed == null) packed = function.serialize(merged).clone()
    packed
  }

  def buffer: AnyRef = {
    if (merged == null)
      merged = function.merge(function.createAggregationBuffer(), function.deserialize(packed))
    merged
  }

  def merge(other: HeldObject): Unit = {
    merged = function.merge(buffer, function.deserialize(other.bytes))
    packed = null
  }
}

private[buffer] final class ObjectCombiner(function: TypedImperativeAggregate[AnyRef]) extends Combiner {
  def name: String = function.prettyName

  def merge(into: AnyRef, from: AnyRef): AnyRef = {
    into.asInstanceOf[HeldObject].merge(from.asInstanceOf[HeldObject])
    into
  }

  def copy(value: AnyRef): AnyRef = fromBytes(toBytes(value))

  def toBytes(value: AnyRef): Array[Byte] = value.asInstanceOf[HeldObject].bytes

  def fromBytes(bytes: Array[Byte]): AnyRef = new HeldObject(function, bytes)
}
