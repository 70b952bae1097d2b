package io.paddlewheel.spark.buffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._

import io.paddlewheel.column.{Cells, Column, Combiner, Schema}

/** A function that keeps its buffer in columns of any type: a slot holds that row, and Spark's own merge merges it. */
private[buffer] final case class RowBuffer(name: String, function: AggregateFunction) extends BufferColumns {
  private val combiner = new RowCombiner(function)

  def columns: Seq[Column] = Seq(Column.Combined(name, combiner))

  def bind(schema: Schema, first: Int): BoundBuffer = {
    val lane = schema.lane(first)
    new BoundBuffer {
      def read(row: InternalRow, ordinal: Int, cells: Cells, at: Int): Unit =
        cells.objects(lane)(at) = combiner.of(row, ordinal)

      def write(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit =
        combiner.copyTo(cells.objects(lane)(at).asInstanceOf[InternalRow], row, ordinal)

      override def lower(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit =
        function match {
          case _: DeclarativeAggregate => write(cells, at, row, ordinal)
          case _ => row.update(ordinal, combiner.result(cells.objects(lane)(at).asInstanceOf[InternalRow]))
        }
    }
  }
}

private[buffer] final class RowCombiner(function: AggregateFunction) extends Combiner {
  private val types = function.aggBufferAttributes.map(_.dataType).toArray
  private val toUnsafe = UnsafeProjection.create(types)

  // `into` and `from` side by side is what a merge expression sees.
  private val merging: (InternalRow, InternalRow) => Unit = function match {
    case declared: DeclarativeAggregate =>
      val inputs = declared.aggBufferAttributes ++ declared.inputAggBufferAttributes
      val projection = MutableProjection.create(declared.mergeExpressions, inputs)
      val both = new JoinedRow
      (into, from) => { projection.target(into)(both(into, from)); () }
    case imperative: ImperativeAggregate =>
      val bound = at0(imperative)
      (into, from) => bound.merge(into, from)
    case other => throw new IllegalStateException(s"Neither declarative nor imperative: ${other.prettyName}")
  }

  private def at0(imperative: ImperativeAggregate): ImperativeAggregate =
    imperative.withNewMutableAggBufferOffset(0).withNewInputAggBufferOffset(0)

  private lazy val evaluated = at0(function.asInstanceOf[ImperativeAggregate])

  def name: String = function.prettyName

  def result(buffer: InternalRow): Any = evaluated.eval(buffer)

  def of(row: InternalRow, ordinal: Int): AnyRef = {
    val buffer = new SpecificInternalRow(types.toIndexedSeq)
    var k = 0
    while (k < types.length) {
      if (!row.isNullAt(ordinal + k))
        buffer.update(k, owned(row.get(ordinal + k, types(k))))
      else buffer.setNullAt(k)
      k += 1
    }
    buffer
  }

  /** A value that nobody else writes into: some functions merge their bytes in place. */
  private def owned(value: Any): Any = value match {
    case bytes: Array[Byte] => bytes.clone()
    case other => InternalRow.copyValue(other)
  }

  def copyTo(buffer: InternalRow, row: InternalRow, ordinal: Int): Unit = {
    var k = 0
    while (k < types.length) {
      if (buffer.isNullAt(k)) row.setNullAt(ordinal + k)
      else row.update(ordinal + k, buffer.get(k, types(k)))
      k += 1
    }
  }

  def merge(into: AnyRef, from: AnyRef): AnyRef = {
    merging(into.asInstanceOf[InternalRow], from.asInstanceOf[InternalRow])
    into
  }

  def copy(value: AnyRef): AnyRef = of(value.asInstanceOf[InternalRow], 0)

  def toBytes(value: AnyRef): Array[Byte] = toUnsafe(value.asInstanceOf[InternalRow]).getBytes

  def fromBytes(bytes: Array[Byte]): AnyRef = {
    val row = new UnsafeRow(types.length)
    row.pointTo(bytes, bytes.length)
    of(row, 0)
  }
}
