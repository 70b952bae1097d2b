package io.paddlewheel.wheel

import java.util.Arrays

import io.paddlewheel.column.{Bits, Cells, Schema}

/** The sealed slots of one level, in chunks by time, with a total of each chunk.
  *
  * A span touches at most two chunks in part; what lies between is read from the totals.
  */
private[wheel] final class Track(schema: Schema) {
  private var chunks = Track.None
  private var firsts = Track.NoRotations
  private var count = 0
  private var chunksPerRotation = 0.0
  private val totals = new Series(schema, 1)

  def isEmpty: Boolean = count == 0
  def firstRotation: Long = chunks(0).rotation(0)
  def lastRotation: Long = chunks(count - 1).last

  /** First present slot index of the first rotation; only when not empty. */
  def firstIndex: Int = java.lang.Long.numberOfTrailingZeros(chunks(0).bitmap(0))

  /** Takes over the slots of a rotation later than all others here; `total` is what they add up to. */
  def append(rotation: Long, bitmap: Long, cells: Cells, total: Cells): Unit = {
    if (count > 0 && chunks(count - 1).hasRoom(rotation, java.lang.Long.bitCount(bitmap)))
      totals.merge(count - 1, total, 0)
    else {
      if (count > 0) chunks(count - 1).trim()
      openChunk(count, new Chunk(schema, rotation, if (count > 0) chunks(count - 1).slots else 2))
      totals.insert(count - 1, total, 0)
    }
    chunks(count - 1).append(rotation, bitmap, cells)
  }

  /** Merges the slots from `(fromRotation, fromIndex)` up to, and without, `(untilRotation, untilIndex)` into position
    * `i` of `into`; whether there were any.
    */
  def fold(
      into: Cells,
      i: Int,
      fromRotation: Long,
      fromIndex: Int,
      untilRotation: Long,
      untilIndex: Int
  ): Boolean = {
    if (count == 0) return false
    val from = chunkOf(fromRotation)
    val until = chunkOf(untilRotation)
    val begin = if (from < 0) 0 else chunks(from).slotsBefore(fromRotation, fromIndex)
    val end = if (until < 0) 0 else chunks(until).slotsBefore(untilRotation, untilIndex)
    if (until < from) false
    else if (from == until) {
      if (begin < end) chunks(from).fold(into, i, begin, end)
      begin < end
    } else if (schema.subtractable && from >= 0) {
      // Whole chunks, less the part before, plus the part after: reads two running totals of slots, not three.
      totals.fold(into, i, from, until)
      chunks(from).fold(into, i, begin, 0)
      chunks(until).fold(into, i, 0, end)
      until > from + 1 || begin < chunks(from).slots || end > 0
    } else {
      var found = until > from + 1
      if (from >= 0 && begin < chunks(from).slots) {
        chunks(from).fold(into, i, begin, chunks(from).slots)
        found = true
      }
      if (until > from + 1) totals.fold(into, i, from + 1, until)
      if (end > 0) {
        chunks(until).fold(into, i, 0, end)
        found = true
      }
      found
    }
  }

  /** Merges slot `j` of `from` into a sealed slot, present or not. */
  def merge(rotation: Long, index: Int, from: Cells, j: Int): Unit = {
    var c = if (count == 0) -1 else chunkOf(rotation)
    if (c < 0 && count > 0 && chunks(0).last - rotation <= Int.MaxValue) {
      c = 0
      rebuild(0, rotation, 0, chunks(0).rotations)
    }
    if (c < 0 || rotation - chunks(c).first > Int.MaxValue) {
      c += 1
      openChunk(c, new Chunk(schema, rotation))
      totals.insert(c, from, j)
      chunks(c).merge(rotation, index, from, j)
    } else if (chunks(c).slots == Chunk.Slots) {
      split(c)
      merge(rotation, index, from, j)
    } else {
      chunks(c).merge(rotation, index, from, j)
      totals.merge(c, from, j)
    }
  }

  /** Rotation and index of the first slot that is not before `(rotation, index)`. */
  def next(rotation: Long, index: Int): Option[(Long, Int)] = {
    var c = if (count == 0) 0 else math.max(0, chunkOf(rotation))
    while (c < count) {
      val chunk = chunks(c)
      var at = chunk.search(rotation)
      while (at < chunk.rotations) {
        val from = if (chunk.rotation(at) == rotation) index else 0
        val rest = if (from >= 64) 0L else chunk.bitmap(at) >>> from
        if (rest != 0) return Some((chunk.rotation(at), from + java.lang.Long.numberOfTrailingZeros(rest)))
        at += 1
      }
      c += 1
    }
    None
  }

  /** Rotation and index of the last slot that is before `(rotation, index)`. */
  def previous(rotation: Long, index: Int): Option[(Long, Int)] = {
    var c = if (count == 0) -1 else chunkOf(rotation)
    while (c >= 0) {
      val chunk = chunks(c)
      var at = math.min(chunk.search(rotation), chunk.rotations - 1)
      while (at >= 0) {
        val until =
          if (chunk.rotation(at) == rotation) index else if (chunk.rotation(at) < rotation) 64 else 0
        val rest = chunk.bitmap(at) & Bits.lowest(until)
        if (rest != 0) return Some((chunk.rotation(at), 63 - java.lang.Long.numberOfLeadingZeros(rest)))
        at -= 1
      }
      c -= 1
    }
    None
  }

  /** Removes every rotation before `rotation`; how many there were. */
  def dropBefore(rotation: Long): Int = {
    var dropped = 0
    var whole = 0
    while (whole < count && chunks(whole).last < rotation) {
      dropped += chunks(whole).rotations
      whole += 1
    }
    if (whole > 0) dropChunks(whole)
    if (count > 0) {
      val part = chunks(0).search(rotation)
      if (part > 0) {
        chunks(0).dropFirst(part)
        totals.replace(0, total(chunks(0)), 0)
        dropped += part
      }
    }
    dropped
  }

  /** Calls `visit` with number, bitmap and plain slots of every rotation in time order. */
  def foreach(visit: (Long, Long, Cells) => Unit): Unit =
    (0 until count).foreach { c =>
      val chunk = chunks(c)
      (0 until chunk.rotations).foreach(at => visit(chunk.rotation(at), chunk.bitmap(at), chunk.cells(at)))
    }

  def rotations: Iterator[Long] =
    Iterator.range(0, count).flatMap(c => Iterator.range(0, chunks(c).rotations).map(chunks(c).rotation))

  def contains(number: Long): Boolean = {
    val c = if (count == 0) -1 else chunkOf(number)
    c >= 0 && {
      val at = chunks(c).search(number)
      at < chunks(c).rotations && chunks(c).rotation(at) == number
    }
  }

  /** Bitmap and plain slots of one rotation. */
  def rotation(number: Long): Option[(Long, Cells)] = {
    val c = if (count == 0) -1 else chunkOf(number)
    if (c < 0) None
    else {
      val at = chunks(c).search(number)
      if (at < chunks(c).rotations && chunks(c).rotation(at) == number)
        Some((chunks(c).bitmap(at), chunks(c).cells(at)))
      else None
    }
  }

  /** Gives back unused memory. */
  def trim(): Unit = if (count > 0) {
    chunks(count - 1).trim()
    chunks = Arrays.copyOf(chunks, count)
    firsts = Arrays.copyOf(firsts, count)
    totals.trim()
  }

  /** The last chunk that starts at or before `rotation`; -1 if it is before all of them. Only when not empty. */
  private def chunkOf(rotation: Long): Int = {
    val lowest = firsts(0)
    val highest = firsts(count - 1)
    if (rotation < lowest) -1
    else if (rotation >= highest) count - 1
    else {
      // Chunks of a steady stream span equal times, so a straight line through the ends is nearly always right.
      val guess = math.min(((rotation - lowest) * chunksPerRotation).toInt, count - 2)
      if (firsts(guess) <= rotation && rotation < firsts(guess + 1)) guess
      else {
        val found = Arrays.binarySearch(firsts, 0, count, rotation)
        if (found >= 0) found else -found - 2
      }
    }
  }

  private def total(chunk: Chunk): Cells = {
    val total = Cells(schema, 1)
    schema.clear(total, 0)
    chunk.fold(total, 0, 0, chunk.slots)
    total
  }

  /** Makes room in a full chunk by cutting it in two. */
  private def split(c: Int): Unit = {
    val full = chunks(c)
    val half = full.rotations / 2
    openChunk(c + 1, full)
    rebuild(c, full.first, 0, half)
    rebuild(c + 1, full.rotation(half), half, full.rotations)
    totals.replace(c, total(chunks(c)), 0)
    totals.insert(c + 1, total(chunks(c + 1)), 0)
  }

  /** Replaces chunk `c` by one that starts at `first` and has its rotations `[begin, end)`. */
  private def rebuild(c: Int, first: Long, begin: Int, end: Int): Unit = {
    val old = chunks(c)
    val made = new Chunk(schema, first)
    (begin until end).foreach(at => made.append(old.rotation(at), old.bitmap(at), old.cells(at)))
    chunks(c) = made
    firsts(c) = first
    aim()
  }

  private def aim(): Unit =
    chunksPerRotation = if (count < 2) 0.0 else (count - 1) / (firsts(count - 1) - firsts(0)).toDouble

  private def openChunk(at: Int, chunk: Chunk): Unit = {
    if (count == chunks.length) {
      chunks = Arrays.copyOf(chunks, count + (count >> 1) + 1)
      firsts = Arrays.copyOf(firsts, chunks.length)
    }
    System.arraycopy(chunks, at, chunks, at + 1, count - at)
    System.arraycopy(firsts, at, firsts, at + 1, count - at)
    chunks(at) = chunk
    firsts(at) = chunk.first
    count += 1
    aim()
  }

  private def dropChunks(dropped: Int): Unit = {
    System.arraycopy(chunks, dropped, chunks, 0, count - dropped)
    System.arraycopy(firsts, dropped, firsts, 0, count - dropped)
    Arrays.fill(chunks.asInstanceOf[Array[AnyRef]], count - dropped, count, null)
    count -= dropped
    totals.dropFirst(dropped)
    aim()
  }
}

private object Track {
  private val None = new Array[Chunk](0)
  private val NoRotations = new Array[Long](0)
}
