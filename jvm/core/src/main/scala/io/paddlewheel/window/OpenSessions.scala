package io.paddlewheel.window

import java.nio.ByteBuffer
import java.util.Arrays

import io.paddlewheel.column.{Bits, Cells, Schema}
import io.paddlewheel.wheel.PackedRotation

/** The sessions of one key that have not closed, by exact instants.
  *
  * Slots are too coarse for sessions that must start and end with their events, so an event is merged here as well: into
  * the session it touches, or those it joins. A session `[first, last + gap)` takes in what starts at its very end too.
  * Closed ones are gone: a late event next to one starts another.
  */
final class OpenSessions(schema: Schema, gap: Long) {
  // In time order; no two of them touch.
  private var starts = new Array[Long](1)
  private var ends = new Array[Long](1)
  private val values = Cells(schema, 1)
  private var count = 0

  def isEmpty: Boolean = count == 0

  /** The earliest end of a session; `Long.MaxValue` if there is none. */
  def nextEnd: Long = if (count == 0) Long.MaxValue else ends(0)

  /** Merges an event with value `j` of `from`. */
  def add(instant: Long, from: Cells, j: Int): Unit = {
    var begin = 0
    while (begin < count && ends(begin) < instant) begin += 1
    var end = begin
    while (end < count && starts(end) <= instant + gap) end += 1
    if (begin == end) insert(begin, instant, from, j)
    else {
      starts(begin) = math.min(starts(begin), instant)
      ends(begin) = math.max(ends(end - 1), instant + gap)
      schema.merge(values, begin, from, j)
      var joined = begin + 1
      while (joined < end) {
        schema.merge(values, begin, values, joined)
        joined += 1
      }
      remove(begin + 1, end)
    }
  }

  /** Gives out, and forgets, the sessions that end at or before `until`. */
  def close(until: Long)(emit: (Long, Long, Cells) => Unit): Unit = if (count > 0) {
    val one = Cells(schema, 1)
    var at = 0
    while (at < count && ends(at) <= until) {
      one.set(0, values, at)
      emit(starts(at), ends(at), one)
      at += 1
    }
    if (at > 0) remove(0, at)
  }

  /** {{{
    *   number of sessions, 4 bytes
    *   start and end of each, 8 bytes each
    *   for every 64 of them: length, 4 bytes, and the values as a packed rotation
    * }}}
    */
  def pack(): Array[Byte] = {
    val blocks = Iterator
      .range(0, count, 64)
      .map { from =>
        val size = math.min(64, count - from)
        val block = Cells(schema, size)
        (0 until size).foreach(k => block.set(k, values, from + k))
        PackedRotation.pack(Bits.lowest(size), block)
      }
      .toVector
    val out = ByteBuffer.allocate(4 + count * 16 + blocks.map(_.length + 4).sum)
    out.putInt(count)
    (0 until count).foreach(at => out.putLong(starts(at)).putLong(ends(at)))
    blocks.foreach(block => out.putInt(block.length).put(block))
    out.array
  }

  /** Takes in what was packed; only when empty. */
  def unpack(bytes: Array[Byte]): Unit = {
    val in = ByteBuffer.wrap(bytes)
    val size = in.getInt()
    val bounds = Array.fill(size)((in.getLong(), in.getLong()))
    var at = 0
    while (at < size) {
      val block = new Array[Byte](in.getInt())
      in.get(block)
      val slots = PackedRotation.unpack(schema, block)
      (0 until math.min(64, size - at)).foreach { k =>
        insert(at, bounds(at)._1, slots.cells, k)
        ends(at) = bounds(at)._2
        at += 1
      }
    }
  }

  private def insert(at: Int, instant: Long, from: Cells, j: Int): Unit = {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2)
      ends = Arrays.copyOf(ends, count * 2)
      values.resize(count * 2)
    }
    System.arraycopy(starts, at, starts, at + 1, count - at)
    System.arraycopy(ends, at, ends, at + 1, count - at)
    values.open(at, count)
    starts(at) = instant
    ends(at) = instant + gap
    values.set(at, from, j)
    count += 1
  }

  private def remove(begin: Int, end: Int): Unit = if (begin < end) {
    System.arraycopy(starts, end, starts, begin, count - end)
    System.arraycopy(ends, end, ends, begin, count - end)
    values.take(begin, values, end, count)
    count -= end - begin
  }
}
