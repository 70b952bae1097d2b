package io.paddlewheel.column

/** Merges one column, over the lanes that hold it.
  *
  * Every position handed in is present. A null holds the merge's neutral element and a cleared validity bit, so the
  * loops need not look at validity. Implementers MUST be associative and commutative, floating-point sums up to
  * rounding.
  */
abstract class Kernel {

  /** The first lane of the column. */
  def lane: Int

  /** Merging a value twice changes nothing. */
  def idempotent: Boolean

  /** Makes position `i` neutral. */
  def clear(into: Cells, i: Int): Unit

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit

  /** Merges `[begin, end)` of `from`, in that order, into position `i` of `into`. */
  def fold(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    var j = begin
    while (j < end) {
      merge(into, i, from, j)
      j += 1
    }
  }

  /** As [[fold]], of sealed slots: an [[Invertible]] column holds those as running totals. */
  def foldSealed(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit =
    fold(into, i, from, begin, end)
}

/** A column that can be taken out of a total exactly. Its sealed slots are kept as running totals, so that any span
  * of them is one difference.
  */
trait Invertible extends Kernel {

  final override def foldSealed(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit =
    difference(into, i, from, begin, end)

  /** Whether [[subtract]] may be used. Not for nullable columns: the validity of a difference needs the slots. */
  def subtractable: Boolean

  def subtract(into: Cells, i: Int, from: Cells, j: Int): Unit

  /** Turns the plain values at `[begin, end)` into running totals that go on from `begin - 1`. */
  def accumulate(cells: Cells, begin: Int, end: Int): Unit

  /** Adds to position `i` of `into` what the running totals of `from` say of `[begin, end)`. With `end` before `begin`
    * that is taken out instead; not for nullable columns.
    */
  def difference(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit

  /** Merges position `j` of `from`, plain, into position `at` of the running totals, of which `end` are in use. */
  def mergeRunning(cells: Cells, at: Int, end: Int, from: Cells, j: Int): Unit

  /** Turns the running totals at `[begin, end)` into plain values; the inverse of [[accumulate]]. */
  def differentiate(cells: Cells, begin: Int, end: Int): Unit
}

object Kernel {

  def apply(column: Column, lane: Int): Kernel = column match {
    case p: Column.Primitive if p.exactSum => new ExactSum(lane, p)
    case Column.Primitive(_, kind: Kind.Whole, merge, nullable, _) =>
      merge match {
        case Merge.Sum => new WrappingSum(lane, kind, nullable)
        case Merge.Xor => new Xor(lane, nullable)
        case Merge.Min => new WholeMin(lane, nullable)
        case Merge.Max => new WholeMax(lane, nullable)
        case Merge.And => new WholeAnd(lane, nullable)
        case Merge.Or => new WholeOr(lane, nullable)
      }
    case Column.Primitive(_, kind, merge, nullable, _) =>
      merge match {
        case Merge.Min => new FloatingMin(lane, nullable)
        case Merge.Max => new FloatingMax(lane, nullable)
        case _ => new FloatingSum(lane, kind, nullable)
      }
    case Column.Combined(_, combiner) => new Combination(lane, combiner)
    case Column.Moments(_) => new MomentsMerge(lane)
    case Column.ExtremeCount(_, kind, extreme) => new ExtremeCountMerge(lane, Order(kind), extreme)
    case Column.Arg(_, value, by, extreme, tied) => new ArgMerge(lane, Order(value), Order(by), extreme, tied)
  }
}
