package io.paddlewheel.column

import io.paddlewheel.Refusal

/** A sum that never loses a bit: 128-bit two's complement in two lanes, low and high.
  *
  * Slots, parents and differences may pass beyond the column's kind and come back; only a total that is read and does
  * not fit is an overflow. So the refusal does not depend on the order of merges or on which levels a plan uses.
  */
final class ExactSum(val lane: Int, column: Column.Primitive) extends Kernel with Invertible {
  private val high = lane + 1
  private val kind = column.kind.asInstanceOf[Kind.Whole]

  def idempotent: Boolean = false
  def subtractable: Boolean = !column.nullable

  def put(cells: Cells, at: Int, value: Long): Unit = {
    cells.longs(lane)(at) = value
    cells.longs(high)(at) = value >> 63
    cells.setValid(lane, at, true)
  }

  /** The sum, if it fits the column's kind. */
  def get(cells: Cells, at: Int): Long = {
    val sum = cells.longs(lane)(at)
    if (cells.longs(high)(at) != sum >> 63 || !kind.holds(sum))
      throw new Refusal(
        "SUM_OVERFLOW",
        s"The sum '${column.name}' does not fit in ${kind.name}. Sum a wider type (long, decimal or double), or let it wrap."
      )
    sum
  }

  def clear(into: Cells, i: Int): Unit = {
    into.longs(lane)(i) = 0L
    into.longs(high)(i) = 0L
    into.setValid(lane, i, false)
  }

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    add(into, i, from.longs(lane)(j), from.longs(high)(j))
    if (column.nullable && from.isValid(lane, j)) into.setValid(lane, i, true)
  }

  def subtract(into: Cells, i: Int, from: Cells, j: Int): Unit =
    subtract(into, i, from.longs(lane)(j), from.longs(high)(j))

  def accumulate(cells: Cells, begin: Int, end: Int): Unit = {
    var p = math.max(begin, 1)
    while (p < end) {
      add(cells, p, cells.longs(lane)(p - 1), cells.longs(high)(p - 1))
      p += 1
    }
  }

  def difference(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    if (end > 0) add(into, i, from.longs(lane)(end - 1), from.longs(high)(end - 1))
    if (begin > 0) subtract(into, i, from.longs(lane)(begin - 1), from.longs(high)(begin - 1))
    if (column.nullable && from.anyValid(lane, begin, end)) into.setValid(lane, i, true)
  }

  def mergeRunning(cells: Cells, at: Int, end: Int, from: Cells, j: Int): Unit = {
    val low = from.longs(lane)(j)
    val carry = from.longs(high)(j)
    var p = at
    while (p < end) {
      add(cells, p, low, carry)
      p += 1
    }
    if (column.nullable && from.isValid(lane, j)) cells.setValid(lane, at, true)
  }

  def differentiate(cells: Cells, begin: Int, end: Int): Unit = {
    var p = end - 1
    while (p >= math.max(begin, 1)) {
      subtract(cells, p, cells.longs(lane)(p - 1), cells.longs(high)(p - 1))
      p -= 1
    }
  }

  private def add(cells: Cells, i: Int, low: Long, carry: Long): Unit = {
    val sum = cells.longs(lane)(i) + low
    cells.longs(high)(i) += carry + (if (java.lang.Long.compareUnsigned(sum, low) < 0) 1 else 0)
    cells.longs(lane)(i) = sum
  }

  private def subtract(cells: Cells, i: Int, low: Long, carry: Long): Unit = {
    val was = cells.longs(lane)(i)
    cells.longs(high)(i) -= carry + (if (java.lang.Long.compareUnsigned(was, low) < 0) 1 else 0)
    cells.longs(lane)(i) = was - low
  }
}
