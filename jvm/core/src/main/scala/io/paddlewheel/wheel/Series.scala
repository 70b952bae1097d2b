package io.paddlewheel.wheel

import io.paddlewheel.column.{Cells, Invertible, Schema}

/** A sequence of partial aggregates, any span of which is merged quickly.
  *
  * Columns that can be inverted are held as running totals: a span is one subtraction, and no memory is spent on it.
  * The other columns are held plain and are folded.
  */
private[wheel] final class Series(schema: Schema, capacity: Int) {
  private val cells = Cells(schema, capacity)
  private var count = 0

  def size: Int = count

  /** Takes over `[begin, end)` of `from`, which must not be used afterwards. */
  def append(from: Cells, begin: Int, end: Int): Unit = {
    reserve(count + end - begin)
    cells.take(count, from, begin, end)
    accumulate(count, count + end - begin)
    count += end - begin
  }

  /** Merges positions `[begin, end)` into position `i` of `into`. There must be at least one, unless the schema is
    * subtractable: then `[begin, 0)` takes the positions before `begin` out of it.
    */
  def fold(into: Cells, i: Int, begin: Int, end: Int): Unit = {
    val kernels = schema.kernels
    var c = 0
    while (c < kernels.length) {
      kernels(c).foldSealed(into, i, cells, begin, end)
      c += 1
    }
  }

  /** Merges slot `j` of `from` into position `at`. */
  def merge(at: Int, from: Cells, j: Int): Unit = {
    val kernels = schema.kernels
    var c = 0
    while (c < kernels.length) {
      kernels(c) match {
        case running: Invertible => running.mergeRunning(cells, at, count, from, j)
        case plain => plain.merge(cells, at, from, j)
      }
      c += 1
    }
  }

  /** Puts slot `j` of `from` in before position `at`. */
  def insert(at: Int, from: Cells, j: Int): Unit = {
    reserve(count + 1)
    differentiate(at, count)
    cells.open(at, count)
    cells.set(at, from, j)
    count += 1
    accumulate(at, count)
  }

  /** Replaces position `at` by slot `j` of `from`. */
  def replace(at: Int, from: Cells, j: Int): Unit = {
    differentiate(at, count)
    cells.set(at, from, j)
    accumulate(at, count)
  }

  def dropFirst(positions: Int): Unit = {
    differentiate(0, count)
    cells.dropFirst(positions, count)
    count -= positions
    accumulate(0, count)
  }

  /** Copies `[begin, end)`, plain, to the front of `to`. */
  def copyTo(to: Cells, begin: Int, end: Int): Unit = {
    var position = begin
    while (position < end) {
      schema.clear(to, position - begin)
      fold(to, position - begin, position, position + 1)
      position += 1
    }
  }

  /** Gives back the memory of positions not in use. */
  def trim(): Unit = if (cells.capacity > count) cells.resize(count)

  private def reserve(positions: Int): Unit =
    if (positions > cells.capacity) cells.resize(math.max(positions, cells.capacity + (cells.capacity >> 1)))

  private def accumulate(begin: Int, end: Int): Unit =
    schema.kernels.foreach {
      case running: Invertible => running.accumulate(cells, begin, end)
      case _ => ()
    }

  private def differentiate(begin: Int, end: Int): Unit =
    schema.kernels.foreach {
      case running: Invertible => running.differentiate(cells, begin, end)
      case _ => ()
    }
}
