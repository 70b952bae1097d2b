package io.paddlewheel.column

import io.paddlewheel.Refusal

/** The columns of a wheel's slots, bound to the lanes that hold them and the kernels that merge them. */
final class Schema(val columns: IndexedSeq[Column]) {
  Schema.refuseDuplicates(columns)

  val lanes: Array[Lane] = columns.flatMap(_.lanes).toArray
  private val firstLane: Array[Int] = columns.scanLeft(0)(_ + _.lanes.size).toArray
  val kernels: Array[Kernel] = columns.indices.map(c => Kernel(columns(c), firstLane(c))).toArray

  val anyNullable: Boolean = lanes.exists(_.nullable)
  private[column] val noValidity: Array[Array[Long]] = new Array(lanes.length)

  /** Every span of sealed slots is one difference of running totals. */
  val invertible: Boolean = kernels.forall(_.isInstanceOf[Invertible])

  /** Any total may be taken out of another. */
  val subtractable: Boolean = kernels.forall {
    case kernel: Invertible => kernel.subtractable
    case _ => false
  }

  /** No column minds a slot being merged twice, so windows may be built from overlapping ones. */
  val idempotent: Boolean = kernels.forall(_.idempotent)

  private val combiners: Array[Combiner] = {
    val byLane = new Array[Combiner](lanes.length)
    columns.indices.foreach { c =>
      columns(c) match {
        case Column.Combined(_, combiner) => byLane(firstLane(c)) = combiner
        case _ => ()
      }
    }
    byLane
  }

  /** The first of the lanes that hold a column. */
  def lane(column: Int): Int = firstLane(column)

  def column(name: String): Int = {
    val found = columns.indexWhere(_.name == name)
    if (found < 0)
      throw new Refusal(
        "COLUMN_UNKNOWN",
        s"There is no column '$name'. Use one of ${columns.map(_.name).mkString(", ")}."
      )
    found
  }

  private[paddlewheel] def combiner(lane: Int): Combiner = combiners(lane)

  private[column] def copyObject(lane: Int, value: AnyRef): AnyRef =
    if (value == null) null else combiners(lane).copy(value)

  /** Merges slot `j` of `from` into slot `i` of `into`, both present. */
  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    var c = 0
    while (c < kernels.length) {
      kernels(c).merge(into, i, from, j)
      c += 1
    }
  }

  /** Merges slots `[begin, end)` of `from`, all present, into slot `i` of `into`, present too. */
  def fold(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    var c = 0
    while (c < kernels.length) {
      kernels(c).fold(into, i, from, begin, end)
      c += 1
    }
  }

  /** Makes slot `i` the neutral element of every merge: what no data at all adds up to. */
  def clear(into: Cells, i: Int): Unit = {
    var c = 0
    while (c < kernels.length) {
      kernels(c).clear(into, i)
      c += 1
    }
  }

  /** Whether two slots hold the same values, bit for bit, NaNs being one. */
  def same(a: Cells, i: Int, b: Cells, j: Int): Boolean =
    lanes.indices.forall { lane =>
      val valid = a.isValid(lane, i)
      valid == b.isValid(lane, j) && (!valid || (lanes(lane).kind match {
        case _: Kind.Whole => a.longs(lane)(i) == b.longs(lane)(j)
        case _: Kind.Floating =>
          java.lang.Double
            .doubleToLongBits(a.doubles(lane)(i)) == java.lang.Double.doubleToLongBits(b.doubles(lane)(j))
        case Kind.Opaque => sameObject(lane, a.objects(lane)(i), b.objects(lane)(j))
      }))
    }

  private def sameObject(lane: Int, a: AnyRef, b: AnyRef): Boolean =
    if (a == null || b == null) a eq b
    else java.util.Arrays.equals(combiners(lane).toBytes(a), combiners(lane).toBytes(b))

  /** Takes slot `j` of `from` out of slot `i` of `into`. Only for [[subtractable]] schemas. */
  def subtract(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    var c = 0
    while (c < kernels.length) {
      kernels(c).asInstanceOf[Invertible].subtract(into, i, from, j)
      c += 1
    }
  }
}

object Schema {
  def apply(columns: Column*): Schema = new Schema(columns.toIndexedSeq)

  private def refuseDuplicates(columns: Seq[Column]): Unit = {
    if (columns.isEmpty)
      throw new Refusal("COLUMN_MISSING", "A wheel needs at least one column. Add an aggregate.")
    columns.groupBy(_.name).collectFirst { case (name, several) if several.size > 1 => name }.foreach {
      name =>
        throw new Refusal("COLUMN_DUPLICATE", s"Two columns are named '$name'. Rename one of them.")
    }
  }
}
