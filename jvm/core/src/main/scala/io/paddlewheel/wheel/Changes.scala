package io.paddlewheel.wheel

import java.util.Arrays

/** The rotations of one level that were changed since they were last taken, in time order. */
private[wheel] final class Changes {
  private var rotations = new Array[Long](1)
  private var made = new Array[Boolean](1)
  private var count = 0

  /** Notes a change; `isNew` if the rotation is nowhere yet but in memory. */
  def note(rotation: Long, isNew: Boolean): Unit =
    // Mostly the rotation noted last, or a later one.
    if (count == 0 || rotations(count - 1) < rotation) insert(count, rotation, isNew)
    else if (rotations(count - 1) != rotation) {
      val found = Arrays.binarySearch(rotations, 0, count, rotation)
      if (found < 0) insert(-found - 1, rotation, isNew)
    }

  def foreach(visit: (Long, Boolean) => Unit): Unit = {
    var at = 0
    while (at < count) {
      visit(rotations(at), made(at))
      at += 1
    }
  }

  private def insert(at: Int, rotation: Long, isNew: Boolean): Unit = {
    if (count == rotations.length) {
      rotations = Arrays.copyOf(rotations, count * 2)
      made = Arrays.copyOf(made, count * 2)
    }
    System.arraycopy(rotations, at, rotations, at + 1, count - at)
    System.arraycopy(made, at, made, at + 1, count - at)
    rotations(at) = rotation
    made(at) = isNew
    count += 1
  }
}
