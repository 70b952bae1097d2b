package io.paddlewheel.wheel

import io.paddlewheel.column.{Bits, Cells}

/** A rotation that still takes values.
  *
  * A slot's place is its rank in the bitmap, so finding it is one population count, and a rotation with few slots
  * takes little memory: most keys are sparse.
  */
private[wheel] final class LiveRotation(val rotation: Long, private var present: Long, val cells: Cells) {

  def bitmap: Long = present
  def size: Int = java.lang.Long.bitCount(present)

  /** Merges slot `j` of `from` into a slot; the place of that slot in [[cells]], until another one is added. */
  def merge(index: Int, from: Cells, j: Int): Int = {
    val place = rank(index)
    if ((present >>> index & 1L) != 0) cells.schema.merge(cells, place, from, j)
    else {
      val used = size
      if (used == cells.capacity) cells.resize(math.min(64, math.max(2, used * 2)))
      if (place < used) cells.open(place, used)
      cells.set(place, from, j)
      present |= 1L << index
    }
    place
  }

  /** Merges the present slots of `[begin, end)` into position `i` of `into`; how many there were. */
  def fold(into: Cells, i: Int, begin: Int, end: Int): Int = {
    val from = rank(begin)
    val until = rank(end)
    if (from < until) cells.schema.fold(into, i, cells, from, until)
    until - from
  }

  private def rank(index: Int): Int = java.lang.Long.bitCount(present & Bits.lowest(index))
}
