package io.paddlewheel.column

/** A lane of whole numbers and the merge's neutral element. */
private[column] abstract class WholeKernel(val lane: Int, nullable: Boolean, neutral: Long) extends Kernel {

  final def clear(into: Cells, i: Int): Unit = {
    into.longs(lane)(i) = neutral
    if (nullable) into.setValid(lane, i, false)
  }

  protected final def mergeValidity(into: Cells, i: Int, from: Cells, j: Int): Unit =
    if (nullable && from.isValid(lane, j)) into.setValid(lane, i, true)

  protected final def foldValidity(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit =
    if (nullable && from.anyValid(lane, begin, end)) into.setValid(lane, i, true)
}

// The folds below are written out one by one: a loop that calls an abstract operator is not compiled to a tight loop
// once three operators are in use.

private[column] final class WholeMin(lane: Int, nullable: Boolean)
    extends WholeKernel(lane, nullable, Long.MaxValue) {
  def idempotent: Boolean = true

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    val values = into.longs(lane)
    values(i) = math.min(values(i), from.longs(lane)(j))
    mergeValidity(into, i, from, j)
  }

  override def fold(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    val values = from.longs(lane)
    var least = into.longs(lane)(i)
    var j = begin
    while (j < end) {
      least = math.min(least, values(j))
      j += 1
    }
    into.longs(lane)(i) = least
    foldValidity(into, i, from, begin, end)
  }
}

private[column] final class WholeMax(lane: Int, nullable: Boolean)
    extends WholeKernel(lane, nullable, Long.MinValue) {
  def idempotent: Boolean = true

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    val values = into.longs(lane)
    values(i) = math.max(values(i), from.longs(lane)(j))
    mergeValidity(into, i, from, j)
  }

  override def fold(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    val values = from.longs(lane)
    var greatest = into.longs(lane)(i)
    var j = begin
    while (j < end) {
      greatest = math.max(greatest, values(j))
      j += 1
    }
    into.longs(lane)(i) = greatest
    foldValidity(into, i, from, begin, end)
  }
}

private[column] final class WholeAnd(lane: Int, nullable: Boolean) extends WholeKernel(lane, nullable, -1L) {
  def idempotent: Boolean = true

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    into.longs(lane)(i) &= from.longs(lane)(j)
    mergeValidity(into, i, from, j)
  }

  override def fold(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    val values = from.longs(lane)
    var all = into.longs(lane)(i)
    var j = begin
    while (j < end) {
      all &= values(j)
      j += 1
    }
    into.longs(lane)(i) = all
    foldValidity(into, i, from, begin, end)
  }
}

private[column] final class WholeOr(lane: Int, nullable: Boolean) extends WholeKernel(lane, nullable, 0L) {
  def idempotent: Boolean = true

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    into.longs(lane)(i) |= from.longs(lane)(j)
    mergeValidity(into, i, from, j)
  }

  override def fold(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    val values = from.longs(lane)
    var some = into.longs(lane)(i)
    var j = begin
    while (j < end) {
      some |= values(j)
      j += 1
    }
    into.longs(lane)(i) = some
    foldValidity(into, i, from, begin, end)
  }
}
