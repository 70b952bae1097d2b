package io.paddlewheel.window

import java.util.Arrays

import io.paddlewheel.column.{Cells, Schema}

/** The aggregate of a queue whose merge cannot be undone, in O(1) amortised merges per element.
  *
  * New elements go to the back, whose total is kept. When the front runs out the back is turned over: each front
  * element becomes the total of itself and all that follow it, so dropping the oldest is forgetting one.
  */
private[window] final class TwoStacks(schema: Schema) {
  // Elements [head, turned) are the front, [turned, size) the back.
  private var starts = new Array[Long](4)
  private val elements = Cells(schema, 4)
  private val backTotal = Cells(schema, 1)
  private var head = 0
  private var turned = 0
  private var size = 0

  clear()

  def isEmpty: Boolean = head == size

  def clear(): Unit = {
    head = 0
    turned = 0
    size = 0
    schema.clear(backTotal, 0)
  }

  /** Adds an element, later than all others. */
  def push(start: Long, from: Cells, j: Int): Unit = {
    if (size == starts.length) makeRoom()
    starts(size) = start
    elements.set(size, from, j)
    size += 1
    schema.merge(backTotal, 0, from, j)
  }

  /** Drops the elements that start before `start`. */
  def dropBefore(start: Long): Unit = {
    while (head < size && starts(head) < start) {
      if (head == turned) turnOver()
      head += 1
    }
    if (head == size) clear()
  }

  /** Merges all elements into position `i` of `into`. */
  def fold(into: Cells, i: Int): Unit = {
    if (head < turned) schema.merge(into, i, elements, head)
    if (turned < size) schema.merge(into, i, backTotal, 0)
  }

  private def turnOver(): Unit = {
    var at = size - 2
    while (at >= head) {
      schema.merge(elements, at, elements, at + 1)
      at -= 1
    }
    turned = size
    schema.clear(backTotal, 0)
  }

  private def makeRoom(): Unit =
    if (head > size / 2) {
      elements.dropFirst(head, size)
      System.arraycopy(starts, head, starts, 0, size - head)
      turned = math.max(0, turned - head)
      size -= head
      head = 0
    } else {
      elements.resize(size * 2)
      starts = Arrays.copyOf(starts, size * 2)
    }
}
