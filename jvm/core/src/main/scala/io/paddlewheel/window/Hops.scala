package io.paddlewheel.window

import io.paddlewheel.column.{Cells, Schema}
import io.paddlewheel.time.Instants
import io.paddlewheel.wheel.Wheel

/** Walks the instances `[k * slide, k * slide + range)` of a window, skipping the stretches without data. */
private[window] abstract class Hops(wheel: Wheel, range: Long, slide: Long, emitters: Seq[Emitter])
    extends Turning {
  private val value = Cells(wheel.schema, 1)

  /** What was found in this advance, for the windows that are built from this one; null if there are none. */
  protected def found: Instances

  /** Called first in each advance: instances that end at or before `emitted` were found in earlier ones. */
  protected def begin(emitted: Long): Unit

  /** Puts the value of an instance, none earlier than the last asked for, into position 0; whether it has data. */
  protected def evaluate(start: Long, end: Long, into: Cells): Boolean

  final def advance(emitted: Long, until: Long): Unit = {
    begin(emitted)
    if (found != null) found.clear()
    if (!wheel.isEmpty) {
      val last = Math.floorDiv(until - range, slide)
      var k = firstWith(wheel.first)
      if (emitted > Instants.Min) k = math.max(k, Math.floorDiv(emitted - range, slide) + 1)
      if (k <= last) recallPredecessor(k)
      while (k <= last) {
        val start = k * slide
        wheel.schema.clear(value, 0)
        if (evaluate(start, start + range, value)) {
          if (found != null) found.add(start, value)
          emitters.foreach(_.offer(start, start + range, start + range - slide, value))
          k += 1
        } else k = math.max(k + 1, wheel.nextSlot(start + range).fold(Long.MaxValue)(firstWith))
      }
    }
  }

  /** The first instance that contains the instant. */
  private def firstWith(instant: Long): Long = Math.floorDiv(instant - range, slide) + 1

  private def recallPredecessor(k: Long): Unit = {
    val start = (k - 1) * slide
    val unknown = emitters.filter(e => e.needsPredecessor && !e.knows(start + range))
    if (unknown.nonEmpty) {
      wheel.schema.clear(value, 0)
      if (evaluate(start, start + range, value)) unknown.foreach(_.recall(start + range, value))
    }
  }
}

/** Where every column has running totals an instance is one difference of them. There is no working state. */
private[window] final class HopDifferences(
    wheel: Wheel,
    range: Long,
    slide: Long,
    emitters: Seq[Emitter],
    read: LevelRead
) extends Hops(wheel, range, slide, emitters) {

  protected def found: Instances = null

  protected def begin(emitted: Long): Unit = ()

  protected def evaluate(start: Long, end: Long, into: Cells): Boolean = read(wheel, start, end, into)

  def forget(): Unit = emitters.foreach(_.forget())
}

/** Elsewhere an instance is a queue of slices. */
private[window] final class HopStacks(
    wheel: Wheel,
    range: Long,
    slide: Long,
    emitters: Seq[Emitter],
    slices: Slices,
    protected val found: Instances
) extends Hops(wheel, range, slide, emitters) {
  private val stacks = new TwoStacks(wheel.schema)
  private var fed = Long.MinValue

  protected def begin(emitted: Long): Unit = slices.begin(emitted)

  protected def evaluate(start: Long, end: Long, into: Cells): Boolean = {
    stacks.dropBefore(start)
    fed = slices.feed(math.max(fed, start), end, stacks)
    stacks.fold(into, 0)
    !stacks.isEmpty
  }

  def forget(): Unit = {
    stacks.clear()
    fed = Long.MinValue
    emitters.foreach(_.forget())
  }
}

/** The instances of one window that have data, in time order. */
private[window] final class Instances(schema: Schema) {
  private var starts = new Array[Long](4)
  private val values = Cells(schema, 4)
  private var count = 0

  def clear(): Unit = count = 0

  def add(start: Long, value: Cells): Unit = {
    if (count == starts.length) {
      starts = java.util.Arrays.copyOf(starts, count * 2)
      values.resize(count * 2)
    }
    starts(count) = start
    values.set(count, value, 0)
    count += 1
  }

  /** The position in [[cells]] of the instance with that start; -1 if it has no data. */
  def find(start: Long): Int = java.util.Arrays.binarySearch(starts, 0, count, start) match {
    case at if at >= 0 => at
    case _             => -1
  }

  def cells: Cells = values
}
