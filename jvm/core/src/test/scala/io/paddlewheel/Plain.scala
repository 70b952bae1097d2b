package io.paddlewheel

import io.paddlewheel.column.{Cells, Column, Combiner, ExactSum, Kind, Schema}

/** Slots as plain values, for tests: written to and read from cells.
  *
  * {{{
  *   whole numbers     Option[BigInt]                             None is null
  *   floating point    Option[Double]
  *   moments           (n, mean, m2)
  *   extreme count     (Option[Double], Int)
  *   arg               (Option[Double], Option[Double])           value, by
  *   combined          Set[Int]                                   the empty one is a null reference
  * }}}
  */
object Plain {

  def cells(schema: Schema, values: Seq[Any]): Cells = {
    val cells = Cells(schema, 1)
    schema.clear(cells, 0)
    schema.columns.indices.foreach(c => put(schema, c, cells, values(c)))
    cells
  }

  def read(cells: Cells, at: Int): Seq[Any] =
    cells.schema.columns.indices.map(c => get(cells.schema, c, cells, at))

  /** Equal, sums of floating-point numbers up to rounding, and 0.0 equal to -0.0. */
  def same(a: Any, b: Any): Boolean = (a, b) match {
    case (x: Double, y: Double) =>
      x == y || x.isNaN && y.isNaN || math.abs(x - y) <= 1e-6 * (1 + math.abs(y))
    case (x: Product, y: Product) =>
      x.productArity == y.productArity && x.productIterator.zip(y.productIterator).forall { case (p, q) =>
        same(p, q)
      }
    case (x: Seq[_], y: Seq[_]) => x.size == y.size && x.zip(y).forall { case (p, q) => same(p, q) }
    case _ => a == b
  }

  private def put(schema: Schema, column: Int, cells: Cells, value: Any): Unit = {
    val lane = schema.lane(column)
    (schema.kernels(column), value) match {
      case (exact: ExactSum, Some(v: BigInt)) => exact.put(cells, 0, v.toLong)
      case (_, Some(v: BigInt)) => set(cells, lane, v)
      case (_, Some(v: Double)) => set(cells, lane, v)
      case (_, (n: Double, mean: Double, m2: Double)) =>
        Seq(n, mean, m2).zipWithIndex.foreach { case (v, k) => set(cells, lane + k, v) }
      case (_, (v: Option[_], count: Int)) =>
        v.foreach(set(cells, lane, _))
        cells.longs(lane + 1)(0) = count.toLong
      case (_, (v: Option[_], by: Option[_])) =>
        v.foreach(set(cells, lane, _))
        by.foreach(set(cells, lane + 1, _))
      case (_, set: Set[_]) => if (set.nonEmpty) cells.objects(lane)(0) = Union.of(set)
      case _ => ()
    }
  }

  private def set(cells: Cells, lane: Int, value: Any): Unit = {
    value match {
      case v: BigInt => cells.longs(lane)(0) = v.toLong
      case v: Double => cells.doubles(lane)(0) = v
      case _ => ()
    }
    cells.setValid(lane, 0, true)
  }

  private def get(schema: Schema, column: Int, cells: Cells, at: Int): Any = {
    val lane = schema.lane(column)
    def double(k: Int) = Option.when(cells.isValid(lane + k, at))(cells.doubles(lane + k)(at))
    schema.columns(column) match {
      case _: Column.Primitive if !cells.isValid(lane, at) => None
      case Column.Primitive(_, _: Kind.Whole, _, _, _) =>
        val low = BigInt(cells.longs(lane)(at))
        schema.kernels(column) match {
          case _: ExactSum =>
            Some((BigInt(cells.longs(lane + 1)(at)) << 64) + (if (low < 0) low + (BigInt(1) << 64) else low))
          case _ => Some(low)
        }
      case _: Column.Primitive => double(0)
      case _: Column.Moments =>
        (cells.doubles(lane)(at), cells.doubles(lane + 1)(at), cells.doubles(lane + 2)(at))
      case _: Column.ExtremeCount =>
        val count = cells.longs(lane + 1)(at).toInt
        (if (count == 0) None else double(0), count)
      case _: Column.Arg => (double(0), double(1))
      case _: Column.Combined => Union.read(cells.objects(lane)(at))
    }
  }
}

/** Sets of small numbers. Merging changes the set in place, so that one shared by mistake is seen. */
object Union extends Combiner {
  private final class Numbers(var of: Set[Int])

  def of(set: Set[_]): AnyRef = new Numbers(set.collect { case n: Int => n })
  def read(value: AnyRef): Set[Int] = if (value == null) Set.empty else numbers(value).of

  def name: String = "union"
  def merge(into: AnyRef, from: AnyRef): AnyRef = {
    numbers(into).of ++= numbers(from).of
    into
  }
  def copy(value: AnyRef): AnyRef = new Numbers(numbers(value).of)
  def toBytes(value: AnyRef): Array[Byte] = numbers(value).of.toArray.sorted.map(_.toByte)
  def fromBytes(bytes: Array[Byte]): AnyRef = new Numbers(bytes.map(_.toInt).toSet)
  override def idempotent: Boolean = true

  private def numbers(value: AnyRef): Numbers = value.asInstanceOf[Numbers]
}
