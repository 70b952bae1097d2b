package io.paddlewheel.wheel

import java.util.Arrays

import io.paddlewheel.column.{Bits, Cells, Schema}

/** Up to 1,024 sealed slots of one level in time order, with a directory of the rotations they belong to.
  *
  * {{{
  *   rotation   first + deltas(0)   first + deltas(1)   …
  *   bitmap     which of its slots are present
  *   offset     position of its first present slot in the series
  * }}}
  *
  * A rotation is never split over two chunks. Room is made for as many slots as are `expected`.
  */
private[wheel] final class Chunk(schema: Schema, val first: Long, expected: Int = 2) {
  private val series = new Series(schema, expected)
  private var deltas = new Array[Int](1)
  private var bitmaps = new Array[Long](1)
  private var offsets = new Array[Char](1)
  private var count = 0
  // When no rotation is missing and all have the same first slots: how many. 0 when that is not so.
  private var stride = 0

  def slots: Int = series.size
  def rotations: Int = count
  def rotation(at: Int): Long = first + deltas(at)
  def bitmap(at: Int): Long = bitmaps(at)
  def last: Long = rotation(count - 1)

  /** Whether a rotation with that many slots may be appended. */
  def hasRoom(rotation: Long, slots: Int): Boolean =
    series.size + slots <= Chunk.Slots && rotation - first <= Int.MaxValue

  /** Takes over the slots of a rotation later than all others here. */
  def append(rotation: Long, bitmap: Long, cells: Cells): Unit = {
    val present = java.lang.Long.bitCount(bitmap)
    val even =
      bitmap == Bits.lowest(present) && (count == 0 || present == stride) && rotation == first + count
    stride = if (even) present else 0
    openDirectory(count)
    deltas(count) = (rotation - first).toInt
    bitmaps(count) = bitmap
    offsets(count) = series.size.toChar
    count += 1
    series.append(cells, 0, present)
  }

  /** Position of the first rotation that is not before `rotation`; [[rotations]] if there is none. */
  def search(rotation: Long): Int = {
    val delta = rotation - first
    // Where no rotation is missing the answer is the difference itself.
    if (delta >= 0 && delta < count && deltas(delta.toInt) == delta) delta.toInt
    else {
      var low = 0
      var high = count
      while (low < high) {
        val middle = (low + high) >>> 1
        if (deltas(middle) < delta) low = middle + 1 else high = middle
      }
      low
    }
  }

  /** How many slots here are before slot `index` of `rotation`. */
  def slotsBefore(rotation: Long, index: Int): Int =
    if (stride > 0 && rotation >= first) {
      val delta = rotation - first
      if (delta < count) delta.toInt * stride + math.min(index, stride) else series.size
    } else searchSlotsBefore(rotation, index)

  private def searchSlotsBefore(rotation: Long, index: Int): Int = {
    val at = search(rotation)
    if (at == count) series.size
    else if (deltas(at) == rotation - first)
      offsets(at) + java.lang.Long.bitCount(bitmaps(at) & Bits.lowest(index))
    else offsets(at)
  }

  /** Merges the slots at positions `[begin, end)` into position `i` of `into`, as [[Series.fold]]. */
  def fold(into: Cells, i: Int, begin: Int, end: Int): Unit = series.fold(into, i, begin, end)

  /** Merges slot `j` of `from` into slot `index` of `rotation`, which must not be before [[first]]. */
  def merge(rotation: Long, index: Int, from: Cells, j: Int): Unit = {
    val at = search(rotation)
    if (at == count || deltas(at) != rotation - first) {
      val offset = if (at == count) series.size else offsets(at).toInt
      openDirectory(at)
      deltas(at) = (rotation - first).toInt
      bitmaps(at) = 0L
      offsets(at) = offset.toChar
      count += 1
    }
    val position = offsets(at) + java.lang.Long.bitCount(bitmaps(at) & Bits.lowest(index))
    if ((bitmaps(at) >>> index & 1L) != 0) series.merge(position, from, j)
    else {
      stride = 0
      series.insert(position, from, j)
      bitmaps(at) |= 1L << index
      var later = at + 1
      while (later < count) {
        offsets(later) = (offsets(later) + 1).toChar
        later += 1
      }
    }
  }

  /** The slots of the rotation at `at`, plain. */
  def cells(at: Int): Cells = {
    val size = java.lang.Long.bitCount(bitmaps(at))
    val copy = Cells(schema, size)
    series.copyTo(copy, offsets(at), offsets(at) + size)
    copy
  }

  /** Removes the first rotations. */
  def dropFirst(rotations: Int): Unit = {
    stride = 0
    val dropped = if (rotations == count) series.size else offsets(rotations).toInt
    series.dropFirst(dropped)
    System.arraycopy(deltas, rotations, deltas, 0, count - rotations)
    System.arraycopy(bitmaps, rotations, bitmaps, 0, count - rotations)
    System.arraycopy(offsets, rotations, offsets, 0, count - rotations)
    count -= rotations
    var at = 0
    while (at < count) {
      offsets(at) = (offsets(at) - dropped).toChar
      at += 1
    }
  }

  /** Gives back unused memory. Appending and merging stay possible. */
  def trim(): Unit = {
    series.trim()
    resizeDirectory(count)
  }

  private def openDirectory(at: Int): Unit = {
    if (count == deltas.length) resizeDirectory(count + (count >> 1) + 1)
    System.arraycopy(deltas, at, deltas, at + 1, count - at)
    System.arraycopy(bitmaps, at, bitmaps, at + 1, count - at)
    System.arraycopy(offsets, at, offsets, at + 1, count - at)
  }

  private def resizeDirectory(capacity: Int): Unit = {
    deltas = Arrays.copyOf(deltas, capacity)
    bitmaps = Arrays.copyOf(bitmaps, capacity)
    offsets = Arrays.copyOf(offsets, capacity)
  }
}

private[wheel] object Chunk {

  /** Large enough that the directory is a few per cent, small enough that a repair moves little. */
  val Slots = 1024
}
