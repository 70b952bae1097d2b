package io.paddlewheel.column

/** Sums modulo the kind's width. */
private[column] final class WrappingSum(lane: Int, kind: Kind.Whole, nullable: Boolean)
    extends WholeKernel(lane, nullable, 0L)
    with Invertible {
  def idempotent: Boolean = false
  def subtractable: Boolean = !nullable

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    val values = into.longs(lane)
    values(i) = kind.wrap(values(i) + from.longs(lane)(j))
    mergeValidity(into, i, from, j)
  }

  override def fold(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    val values = from.longs(lane)
    var sum = into.longs(lane)(i)
    var j = begin
    while (j < end) {
      sum += values(j)
      j += 1
    }
    into.longs(lane)(i) = kind.wrap(sum)
    foldValidity(into, i, from, begin, end)
  }

  def subtract(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    val values = into.longs(lane)
    values(i) = kind.wrap(values(i) - from.longs(lane)(j))
  }

  def accumulate(cells: Cells, begin: Int, end: Int): Unit = {
    val values = cells.longs(lane)
    var sum = if (begin == 0) 0L else values(begin - 1)
    var j = begin
    while (j < end) {
      sum += values(j)
      values(j) = sum
      j += 1
    }
  }

  def difference(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    val running = from.longs(lane)
    val before = if (begin == 0) 0L else running(begin - 1)
    val after = if (end == 0) 0L else running(end - 1)
    val values = into.longs(lane)
    values(i) = kind.wrap(values(i) + after - before)
    foldValidity(into, i, from, begin, end)
  }

  def mergeRunning(cells: Cells, at: Int, end: Int, from: Cells, j: Int): Unit = {
    val values = cells.longs(lane)
    val by = from.longs(lane)(j)
    var p = at
    while (p < end) {
      values(p) += by
      p += 1
    }
    mergeValidity(cells, at, from, j)
  }

  def differentiate(cells: Cells, begin: Int, end: Int): Unit = {
    val values = cells.longs(lane)
    var p = end - 1
    while (p >= begin) {
      values(p) = kind.wrap(values(p) - (if (p == 0) 0L else values(p - 1)))
      p -= 1
    }
  }
}

/** Exclusive or: its own inverse. */
private[column] final class Xor(lane: Int, nullable: Boolean)
    extends WholeKernel(lane, nullable, 0L)
    with Invertible {
  def idempotent: Boolean = false
  def subtractable: Boolean = !nullable

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    into.longs(lane)(i) ^= from.longs(lane)(j)
    mergeValidity(into, i, from, j)
  }

  def subtract(into: Cells, i: Int, from: Cells, j: Int): Unit = into.longs(lane)(i) ^= from.longs(lane)(j)

  def accumulate(cells: Cells, begin: Int, end: Int): Unit = {
    val values = cells.longs(lane)
    var j = math.max(begin, 1)
    while (j < end) {
      values(j) ^= values(j - 1)
      j += 1
    }
  }

  def difference(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    val running = from.longs(lane)
    val before = if (begin == 0) 0L else running(begin - 1)
    val after = if (end == 0) 0L else running(end - 1)
    into.longs(lane)(i) ^= before ^ after
    foldValidity(into, i, from, begin, end)
  }

  def mergeRunning(cells: Cells, at: Int, end: Int, from: Cells, j: Int): Unit = {
    val values = cells.longs(lane)
    val by = from.longs(lane)(j)
    var p = at
    while (p < end) {
      values(p) ^= by
      p += 1
    }
    mergeValidity(cells, at, from, j)
  }

  def differentiate(cells: Cells, begin: Int, end: Int): Unit = {
    val values = cells.longs(lane)
    var p = end - 1
    while (p >= math.max(begin, 1)) {
      values(p) ^= values(p - 1)
      p -= 1
    }
  }
}
