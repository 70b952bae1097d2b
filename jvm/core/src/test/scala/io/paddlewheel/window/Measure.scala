package io.paddlewheel.window

import io.paddlewheel.column.{Cells, Column, Combiner, Extreme, Kind, Merge, Schema}

/** A column, and what plain Scala makes of the same values. A row's value may be missing. */
abstract class Measure(val column: Column) {

  /** Writes the partial aggregate of one row to position 0, which is clear. */
  def put(cells: Cells, lane: Int, value: Option[Long]): Unit

  def read(cells: Cells, lane: Int, at: Int): Any

  def naive(values: Seq[Option[Long]]): Any

  def agrees(found: Any, expected: Any): Boolean = found == expected
}

object Measure {

  object Sum extends Measure(Column.Primitive("sum", Kind.Long, Merge.Sum)) {
    def put(cells: Cells, lane: Int, value: Option[Long]): Unit = cells.longs(lane)(0) = value.getOrElse(0L)
    def read(cells: Cells, lane: Int, at: Int): Any = cells.longs(lane)(at)
    def naive(values: Seq[Option[Long]]): Any = values.flatten.sum
  }

  /** Null where every value is missing. */
  object NullableSum extends Nullable("nullable_sum", Merge.Sum, _ + _)
  object Max extends Nullable("max", Merge.Max, math.max)
  object Min extends Nullable("min", Merge.Min, math.min)

  sealed abstract class Nullable(name: String, merge: Merge, plain: (Long, Long) => Long)
      extends Measure(Column.Primitive(name, Kind.Long, merge, nullable = true)) {
    def put(cells: Cells, lane: Int, value: Option[Long]): Unit = value.foreach { v =>
      cells.longs(lane)(0) = v
      cells.setValid(lane, 0, true)
    }
    def read(cells: Cells, lane: Int, at: Int): Any =
      Option.when(cells.isValid(lane, at))(cells.longs(lane)(at))
    def naive(values: Seq[Option[Long]]): Any = values.flatten.reduceOption(plain)
  }

  /** Of quarters, so that every order of summation gives the same. */
  object DoubleSum extends Measure(Column.Primitive("double_sum", Kind.Double, Merge.Sum)) {
    def put(cells: Cells, lane: Int, value: Option[Long]): Unit =
      cells.doubles(lane)(0) = value.getOrElse(0L) / 4.0
    def read(cells: Cells, lane: Int, at: Int): Any = cells.doubles(lane)(at)
    def naive(values: Seq[Option[Long]]): Any = values.map(_.getOrElse(0L) / 4.0).sum
  }

  /** Count, mean and squared deviations. */
  object Moments extends Measure(Column.Moments("moments")) {
    def put(cells: Cells, lane: Int, value: Option[Long]): Unit = value.foreach { v =>
      cells.doubles(lane)(0) = 1.0
      cells.doubles(lane + 1)(0) = v.toDouble
    }
    def read(cells: Cells, lane: Int, at: Int): Any = (0 to 2).map(part => cells.doubles(lane + part)(at))
    def naive(values: Seq[Option[Long]]): Any = {
      val known = values.flatten.map(_.toDouble)
      val mean = if (known.isEmpty) 0.0 else known.sum / known.size
      IndexedSeq(known.size.toDouble, mean, known.map(v => (v - mean) * (v - mean)).sum)
    }
    override def agrees(found: Any, expected: Any): Boolean = (found, expected) match {
      case (f: Seq[_], e: Seq[_]) =>
        f.zip(e).forall {
          case (a: Double, b: Double) => math.abs(a - b) <= 1e-6 * (1 + math.abs(b)); case _ => false
        }
      case _ => false
    }
  }

  /** The greatest value and how often it came. */
  object MaxCount extends Measure(Column.ExtremeCount("max_count", Kind.Long, Extreme.Greatest)) {
    def put(cells: Cells, lane: Int, value: Option[Long]): Unit = value.foreach { v =>
      cells.longs(lane)(0) = v
      cells.longs(lane + 1)(0) = 1L
    }
    def read(cells: Cells, lane: Int, at: Int): Any = {
      val count = cells.longs(lane + 1)(at)
      Option.when(count > 0)((cells.longs(lane)(at), count))
    }
    def naive(values: Seq[Option[Long]]): Any =
      values.flatten.maxOption.map(greatest => (greatest, values.count(_.contains(greatest)).toLong))
  }

  /** The three greatest values in descending order, equal ones kept apart; through a combiner. */
  object TopThree extends Measure(Column.Combined("top_three", TopThreeCombiner)) {
    def put(cells: Cells, lane: Int, value: Option[Long]): Unit =
      value.foreach(v => cells.objects(lane)(0) = Array(v))
    def read(cells: Cells, lane: Int, at: Int): Any = cells.objects(lane)(at) match {
      case top: Array[Long] => top.toVector
      case _ => Vector.empty
    }
    def naive(values: Seq[Option[Long]]): Any = values.flatten.sorted(Ordering.Long.reverse).take(3).toVector
  }

  private object TopThreeCombiner extends Combiner {
    def name: String = "top three"
    def merge(into: AnyRef, from: AnyRef): AnyRef = (longs(into) ++ longs(from)).sortBy(-_).take(3)
    def copy(value: AnyRef): AnyRef = longs(value).clone()
    def toBytes(value: AnyRef): Array[Byte] = longs(value).mkString(",").getBytes("UTF-8")
    def fromBytes(bytes: Array[Byte]): AnyRef = new String(bytes, "UTF-8").split(',').map(_.toLong)
    private def longs(value: AnyRef): Array[Long] = value.asInstanceOf[Array[Long]]
  }
}

/** Several measures as the columns of one schema. */
final class Measures(val all: IndexedSeq[Measure]) {
  val schema = new Schema(all.map(_.column))

  def row(value: Option[Long]): Cells = {
    val cells = Cells(schema, 1)
    schema.clear(cells, 0)
    all.indices.foreach(m => all(m).put(cells, schema.lane(m), value))
    cells
  }

  def read(cells: Cells, at: Int): Seq[Any] = all.indices.map(m => all(m).read(cells, schema.lane(m), at))

  def naive(values: Seq[Option[Long]]): Seq[Any] = all.map(_.naive(values))

  def agree(found: Seq[Any], expected: Seq[Any]): Boolean =
    all.indices.forall(m => all(m).agrees(found(m), expected(m)))

  override def toString: String = all.map(_.column.name).mkString("(", ", ", ")")
}

object Measures {
  def apply(all: Measure*): Measures = new Measures(all.toIndexedSeq)
}
