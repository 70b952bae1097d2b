package io.paddlewheel.wheel

import io.paddlewheel.column.{Bits, Cells}

/** A rotation that still takes values.
  *
  * With few slots, as for most keys, a slot's place is its rank in the bitmap: finding it is one population count, and
  * no memory is spent on what is absent. Once the cells have room for all 64 slots a slot's place is its index, and a
  * new slot moves no other.
  */
private[wheel] final class LiveRotation(val rotation: Long, private var present: Long, val cells: Cells) {

  def bitmap: Long = present
  def size: Int = java.lang.Long.bitCount(present)

  /** Merges slot `j` of `from` into a slot; the place of that slot in [[cells]], until another one is added. */
  def merge(index: Int, from: Cells, j: Int): Int =
    if ((present >>> index & 1L) != 0) {
      val at = place(index)
      cells.schema.merge(cells, at, from, j)
      at
    } else {
      if (!dense) makeRoom(index)
      present |= 1L << index
      val at = place(index)
      cells.set(at, from, j)
      at
    }

  /** Merges the present slots of `[begin, end)` into position `i` of `into`; how many there were. */
  def fold(into: Cells, i: Int, begin: Int, end: Int): Int = {
    val from = rank(begin)
    val until = rank(end)
    if (from < until) {
      if (dense) {
        var slots = present & Bits.lowest(end) & ~Bits.lowest(begin)
        while (slots != 0) {
          val first = java.lang.Long.numberOfTrailingZeros(slots)
          val after = first + java.lang.Long.numberOfTrailingZeros(~(slots >>> first))
          cells.schema.fold(into, i, cells, first, after)
          slots &= ~Bits.lowest(after)
        }
      } else cells.schema.fold(into, i, cells, from, until)
    }
    until - from
  }

  /** Moves the slots together, in order, at the front of [[cells]]. The rotation must not be used afterwards. */
  def close(): Unit =
    if (dense && present != Bits.lowest(size)) {
      var slots = present
      var at = 0
      while (slots != 0) {
        val first = java.lang.Long.numberOfTrailingZeros(slots)
        cells.take(at, cells, first, first + 1)
        at += 1
        slots &= slots - 1
      }
    }

  /** The slots, for reading. */
  def slots: PackedRotation.Slots =
    if (dense) {
      val copy = Cells(cells.schema, 64)
      copy.take(0, cells, 0, 64)
      new LiveRotation(rotation, present, copy).close()
      PackedRotation.Slots(present, copy)
    } else PackedRotation.Slots(present, cells)

  private def dense: Boolean = cells.capacity == 64

  private def place(index: Int): Int = if (dense) index else rank(index)

  private def rank(index: Int): Int = java.lang.Long.bitCount(present & Bits.lowest(index))

  /** Frees the place of a slot to come. */
  private def makeRoom(index: Int): Unit = {
    val used = size
    if (used == cells.capacity) cells.resize(math.min(64, math.max(4, used * 4)))
    if (dense) spread()
    else if (rank(index) < used) cells.open(rank(index), used)
  }

  /** Moves each slot from its rank to its index, the last one first: an index is never before the rank. */
  private def spread(): Unit = {
    var slots = present
    while (slots != 0) {
      val last = 63 - java.lang.Long.numberOfLeadingZeros(slots)
      slots &= ~(1L << last)
      cells.take(last, cells, java.lang.Long.bitCount(slots), java.lang.Long.bitCount(slots) + 1)
    }
  }
}
