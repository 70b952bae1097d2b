package io.paddlewheel.column

import java.util.Arrays

/** The values of many slots, one array per lane.
  *
  * Positions mean what the owner says: one slot each in a rotation, one slot each in a chunk, a single result. A
  * position holds nothing of meaning until something is copied or written there; whoever owns the cells knows which
  * positions are in use. Not thread-safe.
  */
final class Cells private (
    val schema: Schema,
    private var slots: Int,
    private val arrays: Array[AnyRef],
    private val validity: Array[Array[Long]]
) {
  def capacity: Int = slots

  def longs(lane: Int): Array[Long] = arrays(lane).asInstanceOf[Array[Long]]
  def doubles(lane: Int): Array[Double] = arrays(lane).asInstanceOf[Array[Double]]
  def objects(lane: Int): Array[AnyRef] = arrays(lane).asInstanceOf[Array[AnyRef]]

  /** True where the lane is not nullable too. */
  def isValid(lane: Int, at: Int): Boolean = {
    val words = validity(lane)
    words == null || (words(at >> 6) >>> at & 1L) != 0
  }

  def setValid(lane: Int, at: Int, valid: Boolean): Unit = {
    val words = validity(lane)
    if (words != null) {
      if (valid) words(at >> 6) |= 1L << at else words(at >> 6) &= ~(1L << at)
    }
  }

  /** Whether any position of `[begin, end)` is valid. */
  def anyValid(lane: Int, begin: Int, end: Int): Boolean = {
    val words = validity(lane)
    words == null && begin < end || words != null && Bits.any(words, begin, end)
  }

  /** Makes `at` a copy of position `j` of `from`. */
  def set(at: Int, from: Cells, j: Int): Unit = {
    var lane = 0
    while (lane < arrays.length) {
      (arrays(lane): @unchecked) match {
        case to: Array[Long] => to(at) = from.longs(lane)(j)
        case to: Array[Double] => to(at) = from.doubles(lane)(j)
        case to: Array[AnyRef] => to(at) = schema.copyObject(lane, from.objects(lane)(j))
      }
      if (validity(lane) != null) setValid(lane, at, from.isValid(lane, j))
      lane += 1
    }
  }

  /** Moves positions `[begin, end)` of `from` here, starting at `at`. Objects are handed over, not copied: `from` must
    * not be merged into afterwards.
    */
  def take(at: Int, from: Cells, begin: Int, end: Int): Unit = {
    var lane = 0
    while (lane < arrays.length) {
      System.arraycopy(from.arrays(lane), begin, arrays(lane), at, end - begin)
      val words = validity(lane)
      if (words != null) Bits.copy(from.validity(lane), begin, words, at, end - begin)
      lane += 1
    }
  }

  /** Moves positions `[at, used)` up by one, so that `at` is free. There must be room. */
  def open(at: Int, used: Int): Unit = take(at + 1, this, at, used)

  /** Moves positions `[from, used)` down to the front. */
  def dropFirst(from: Int, used: Int): Unit = {
    take(0, this, from, used)
    var lane = 0
    while (lane < arrays.length) {
      arrays(lane) match {
        case objects: Array[AnyRef] => Arrays.fill(objects, used - from, used, null)
        case _ => ()
      }
      lane += 1
    }
  }

  /** Changes the number of positions; what is beyond the new capacity is lost. */
  def resize(capacity: Int): Unit = {
    var lane = 0
    while (lane < arrays.length) {
      arrays(lane) = (arrays(lane): @unchecked) match {
        case values: Array[Long] => Arrays.copyOf(values, capacity)
        case values: Array[Double] => Arrays.copyOf(values, capacity)
        case values: Array[AnyRef] => Arrays.copyOf(values, capacity)
      }
      if (validity(lane) != null) validity(lane) = Arrays.copyOf(validity(lane), Bits.words(capacity))
      lane += 1
    }
    slots = capacity
  }
}

object Cells {

  def apply(schema: Schema, capacity: Int): Cells = {
    val arrays = new Array[AnyRef](schema.lanes.length)
    val validity = if (schema.anyNullable) new Array[Array[Long]](arrays.length) else schema.noValidity
    var lane = 0
    while (lane < arrays.length) {
      arrays(lane) = schema.lanes(lane).kind match {
        case _: Kind.Whole => new Array[Long](capacity)
        case _: Kind.Floating => new Array[Double](capacity)
        case Kind.Opaque => new Array[AnyRef](capacity)
      }
      if (schema.lanes(lane).nullable) validity(lane) = new Array[Long](Bits.words(capacity))
      lane += 1
    }
    new Cells(schema, capacity, arrays, validity)
  }
}
