package io.paddlewheel.spark.buffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.EvalMode
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.paddlewheel.SparkInside
import org.apache.spark.sql.types._

import io.paddlewheel.Refusal
import io.paddlewheel.column.{Cells, Column, ExactSum, Kernel, Kind, Merge, Overflow, Schema}

/** How a slot keeps the buffer of one of Spark's aggregate functions. */
private[buffer] trait BufferColumns {

  /** The columns of the slot, in order. */
  def columns: Seq[Column]

  /** The same, once they are bound to a schema, the first of them being column `first`. */
  def bind(schema: Schema, first: Int): BoundBuffer
}

/** Copies the buffer of one function between rows and cells. */
private[buffer] trait BoundBuffer {

  /** Makes position `at` the buffer that starts at field `ordinal` of the row. */
  def read(row: InternalRow, ordinal: Int, cells: Cells, at: Int): Unit

  /** Puts the buffer, as Spark's partial aggregate would give it, into fields from `ordinal` on. */
  def write(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit

  /** Puts what the result is computed from into fields from `ordinal` on: the buffer of a declarative function, the
    * result itself of any other.
    */
  def lower(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit = write(cells, at, row, ordinal)
}

private[buffer] object BufferColumns {

  /** Known functions run in kernels; all others keep Spark's own buffer and merge it by Spark's own code. */
  def of(name: String, function: AggregateFunction): BufferColumns = {
    val buffers = function.aggBufferAttributes
    def primitive(at: Int, merge: Merge, overflow: Overflow = Overflow.Wrap) = {
      val attribute = buffers(at)
      PrimitiveBuffer(
        Column.Primitive(
          s"$name.${attribute.name}",
          kindOf(attribute.dataType).get,
          merge,
          attribute.nullable,
          overflow
        ),
        attribute.dataType
      )
    }
    def simple = buffers.forall(attribute => kindOf(attribute.dataType).nonEmpty)
    function match {
      case _: Count => Primitives(Seq(primitive(0, Merge.Sum)))
      case sum: Sum if buffers.size == 1 && simple && sum.dataType == LongType =>
        val overflow = if (sum.evalContext.evalMode == EvalMode.ANSI) Overflow.Error else Overflow.Wrap
        Primitives(Seq(primitive(0, Merge.Sum, overflow)))
      case sum: Sum if buffers.size == 1 && sum.dataType == DoubleType =>
        Primitives(Seq(primitive(0, Merge.Sum)))
      case _: Average if buffers.map(_.dataType) == Seq(DoubleType, LongType) =>
        // Spark declares the sum nullable, but it starts at 0.0 and never is null.
        val sum = PrimitiveBuffer(Column.Primitive(s"$name.sum", Kind.Double, Merge.Sum), DoubleType)
        val count = PrimitiveBuffer(Column.Primitive(s"$name.count", Kind.Long, Merge.Sum), LongType)
        Primitives(Seq(sum, count))
      case _: Min if simple => Primitives(Seq(primitive(0, Merge.Min)))
      case _: Max if simple => Primitives(Seq(primitive(0, Merge.Max)))
      case _: BitAndAgg => Primitives(Seq(primitive(0, Merge.And)))
      case _: BitOrAgg => Primitives(Seq(primitive(0, Merge.Or)))
      case _: BitXorAgg => Primitives(Seq(primitive(0, Merge.Xor)))
      case _: StddevPop | _: StddevSamp | _: VariancePop | _: VarianceSamp =>
        MomentsBuffer(Column.Moments(name))
      case typed: TypedImperativeAggregate[_] =>
        ObjectBuffer(name, typed.asInstanceOf[TypedImperativeAggregate[AnyRef]])
      case other => RowBuffer(name, other)
    }
  }

  /** The kind that holds the values of a type; none if they are not primitive. */
  private def kindOf(dataType: DataType): Option[Kind] = dataType match {
    case BooleanType => Some(Kind.Boolean)
    case ByteType => Some(Kind.Byte)
    case ShortType => Some(Kind.Short)
    case IntegerType | DateType | _: YearMonthIntervalType => Some(Kind.Int)
    case LongType | TimestampType | TimestampNTZType | _: DayTimeIntervalType => Some(Kind.Long)
    case FloatType => Some(Kind.Float)
    case DoubleType => Some(Kind.Double)
    case _ => None
  }
}

/** One primitive column, in a kernel. */
private[buffer] final case class PrimitiveBuffer(column: Column.Primitive, dataType: DataType) {

  def bind(schema: Schema, index: Int): BoundBuffer = {
    val lane = schema.lane(index)
    schema.kernels(index) match {
      case exact: ExactSum => new BoundExactSum(exact, lane)
      case kernel if column.kind.isInstanceOf[Kind.Floating] =>
        new BoundFloating(kernel, lane, dataType == FloatType)
      case kernel => new BoundWhole(kernel, lane, dataType)
    }
  }
}

/** Functions whose buffer is one or more primitive columns. */
private[buffer] final case class Primitives(buffers: Seq[PrimitiveBuffer]) extends BufferColumns {
  def columns: Seq[Column] = buffers.map(_.column)

  def bind(schema: Schema, first: Int): BoundBuffer = {
    val bound = buffers.zipWithIndex.map { case (buffer, k) => buffer.bind(schema, first + k) }.toArray
    if (bound.length == 1) bound(0) else new BoundSeveral(bound)
  }
}

private[buffer] final class BoundSeveral(bound: Array[BoundBuffer]) extends BoundBuffer {

  def read(row: InternalRow, ordinal: Int, cells: Cells, at: Int): Unit = {
    var k = 0
    while (k < bound.length) {
      bound(k).read(row, ordinal + k, cells, at)
      k += 1
    }
  }

  def write(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit = {
    var k = 0
    while (k < bound.length) {
      bound(k).write(cells, at, row, ordinal + k)
      k += 1
    }
  }
}

private[buffer] final class BoundWhole(kernel: Kernel, lane: Int, dataType: DataType) extends BoundBuffer {
  private val width = dataType match {
    case BooleanType => 0
    case ByteType => 1
    case ShortType => 2
    case IntegerType | DateType | _: YearMonthIntervalType => 4
    case _ => 8
  }

  def read(row: InternalRow, ordinal: Int, cells: Cells, at: Int): Unit =
    if (row.isNullAt(ordinal)) kernel.clear(cells, at)
    else {
      cells.longs(lane)(at) = width match {
        case 8 => row.getLong(ordinal)
        case 4 => row.getInt(ordinal).toLong
        case 2 => row.getShort(ordinal).toLong
        case 1 => row.getByte(ordinal).toLong
        case _ => if (row.getBoolean(ordinal)) 1L else 0L
      }
      cells.setValid(lane, at, true)
    }

  def write(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit =
    if (!cells.isValid(lane, at)) row.setNullAt(ordinal)
    else {
      val value = cells.longs(lane)(at)
      width match {
        case 8 => row.setLong(ordinal, value)
        case 4 => row.setInt(ordinal, value.toInt)
        case 2 => row.setShort(ordinal, value.toShort)
        case 1 => row.setByte(ordinal, value.toByte)
        case _ => row.setBoolean(ordinal, value != 0)
      }
    }
}

private[buffer] final class BoundExactSum(sum: ExactSum, lane: Int) extends BoundBuffer {

  def read(row: InternalRow, ordinal: Int, cells: Cells, at: Int): Unit =
    if (row.isNullAt(ordinal)) sum.clear(cells, at) else sum.put(cells, at, row.getLong(ordinal))

  def write(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit =
    if (!cells.isValid(lane, at)) row.setNullAt(ordinal)
    else
      try row.setLong(ordinal, sum.get(cells, at))
      catch {
        case refused: Refusal if refused.condition == "SUM_OVERFLOW" => throw SparkInside.sumOverflow()
      }
}

private[buffer] final class BoundFloating(kernel: Kernel, lane: Int, single: Boolean) extends BoundBuffer {

  def read(row: InternalRow, ordinal: Int, cells: Cells, at: Int): Unit =
    if (row.isNullAt(ordinal)) kernel.clear(cells, at)
    else {
      cells.doubles(lane)(at) = if (single) row.getFloat(ordinal).toDouble else row.getDouble(ordinal)
      cells.setValid(lane, at, true)
    }

  def write(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit =
    if (!cells.isValid(lane, at)) row.setNullAt(ordinal)
    else if (single) row.setFloat(ordinal, cells.doubles(lane)(at).toFloat)
    else row.setDouble(ordinal, cells.doubles(lane)(at))
}

/** Variance and standard deviation: count, mean and squared deviations. */
private[buffer] final case class MomentsBuffer(column: Column.Moments) extends BufferColumns {
  def columns: Seq[Column] = Seq(column)

  def bind(schema: Schema, first: Int): BoundBuffer = {
    val lane = schema.lane(first)
    new BoundBuffer {
      def read(row: InternalRow, ordinal: Int, cells: Cells, at: Int): Unit = {
        var part = 0
        while (part < 3) {
          cells.doubles(lane + part)(at) = row.getDouble(ordinal + part)
          part += 1
        }
      }

      def write(cells: Cells, at: Int, row: InternalRow, ordinal: Int): Unit = {
        var part = 0
        while (part < 3) {
          row.setDouble(ordinal + part, cells.doubles(lane + part)(at))
          part += 1
        }
      }
    }
  }
}
