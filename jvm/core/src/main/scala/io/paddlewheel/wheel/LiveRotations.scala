package io.paddlewheel.wheel

import java.util.Arrays

import io.paddlewheel.column.{Cells, Schema}

/** The live rotations of one level in time order. Mostly one or two; a key far ahead of the watermark has more. */
private[wheel] final class LiveRotations(schema: Schema) {
  private var rotations = LiveRotations.None
  private var count = 0
  // The cells of the rotation removed last, if they were many: a dense stream needs as many again at once.
  private var spare: Cells = null

  def size: Int = count
  def apply(at: Int): LiveRotation = rotations(at)

  /** The live rotation of that number; null if there is none. */
  def find(rotation: Long): LiveRotation =
    // Streams are nearly in order: the last one is nearly always the right one.
    if (count > 0 && rotations(count - 1).rotation == rotation) rotations(count - 1)
    else {
      val place = search(rotation)
      if (place < count && rotations(place).rotation == rotation) rotations(place) else null
    }

  /** Adds an empty rotation that is not here yet. */
  def add(rotation: Long): LiveRotation = {
    val cells = if (spare == null) Cells(schema, 1) else spare
    spare = null
    insert(search(rotation), new LiveRotation(rotation, 0L, cells))
  }

  /** Adds a rotation that is not here yet, with its slots. */
  def add(rotation: Long, slots: PackedRotation.Slots): LiveRotation =
    insert(search(rotation), new LiveRotation(rotation, slots.bitmap, slots.cells))

  private def insert(place: Int, rotation: LiveRotation): LiveRotation = {
    if (count == rotations.length) rotations = Arrays.copyOf(rotations, math.max(1, count * 2))
    System.arraycopy(rotations, place, rotations, place + 1, count - place)
    rotations(place) = rotation
    count += 1
    rotation
  }

  /** Position of the first rotation that is not before `rotation`. */
  def search(rotation: Long): Int = {
    var low = 0
    var high = count
    while (low < high) {
      val middle = (low + high) >>> 1
      if (rotations(middle).rotation < rotation) low = middle + 1 else high = middle
    }
    low
  }

  /** Removes the first ones. Their slots must have been copied. */
  def dropFirst(dropped: Int): Unit = {
    if (dropped > 0 && rotations(dropped - 1).cells.capacity >= 16) spare = rotations(dropped - 1).cells
    System.arraycopy(rotations, dropped, rotations, 0, count - dropped)
    Arrays.fill(rotations.asInstanceOf[Array[AnyRef]], count - dropped, count, null)
    count -= dropped
  }
}

private object LiveRotations {
  private val None = new Array[LiveRotation](0)
}
