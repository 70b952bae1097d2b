package io.paddlewheel.window

import io.paddlewheel.column.{Cells, Schema}
import io.paddlewheel.time.Instants
import io.paddlewheel.wheel.Wheel

/** Walks the instances `[k * slide, k * slide + range)` of a window, skipping the stretches without data. */
private[window] abstract class Hops(
    wheel: Wheel,
    range: Long,
    slide: Long,
    emitters: Seq[Emitter],
    read: LevelRead,
    value: Cells
) extends Turning {

  /** What was found in this advance, for the windows that are built from this one; null if there are none. */
  protected def found: Instances

  /** Puts the value of an instance, none earlier than the last asked for, into position 0; whether it has data. */
  protected def evaluate(emitted: Long, start: Long, into: Cells): Boolean

  /** Called last in each advance: the instance at `start` is the next one that may be asked for. */
  protected def prepare(emitted: Long, start: Long, until: Long): Unit

  final def advance(emitted: Long, until: Long): Unit = {
    if (found != null) found.clear()
    if (!wheel.isEmpty) {
      val last = Math.floorDiv(until - range, slide)
      var k = firstWith(wheel.first)
      if (emitted > Instants.Min) k = math.max(k, Math.floorDiv(emitted - range, slide) + 1)
      if (k <= last) recallPredecessor(k)
      while (k <= last) {
        val start = k * slide
        if (evaluate(emitted, start, value)) {
          if (found != null) found.add(start, value)
          emitters.foreach(_.offer(start, start + range, start + range - slide, value))
          k += 1
        } else k = math.max(k + 1, wheel.nextSlot(start + range).fold(Long.MaxValue)(firstWith))
      }
      prepare(emitted, (last + 1) * slide, until)
    }
  }

  /** The first instance that contains the instant. */
  private def firstWith(instant: Long): Long = Math.floorDiv(instant - range, slide) + 1

  final def nextEnd(emitted: Long): Long =
    if (wheel.isEmpty) Long.MaxValue
    else {
      val k =
        if (emitted > Instants.Min) Math.floorDiv(emitted - range, slide) + 1 else firstWith(wheel.first)
      val before = if (emitters.exists(_.needsPredecessor)) 1 else 0
      val data = wheel.nextData((k - before) * slide, read.level)
      if (data == Long.MaxValue) data else math.max(k, firstWith(data)) * slide + range
    }

  private def recallPredecessor(k: Long): Unit = {
    val end = (k - 1) * slide + range
    val unknown = emitters.filter(e => e.needsPredecessor && !e.knows(end))
    if (unknown.nonEmpty && read(wheel, end - range, end, value)) unknown.foreach(_.recall(end, value))
  }

  def forget(): Unit = emitters.foreach(_.forget())

  final def needsFrom(emitted: Long): Long = Long.MaxValue
}

/** Each instance is read from the wheel: where every column has running totals it is one difference of them, and where it
  * is only a few slots merging these is cheaper than keeping a queue. There is no working state.
  */
private[window] final class HopReads(
    wheel: Wheel,
    range: Long,
    slide: Long,
    emitters: Seq[Emitter],
    read: LevelRead,
    value: Cells
) extends Hops(wheel, range, slide, emitters, read, value) {

  protected def found: Instances = null

  protected def evaluate(emitted: Long, start: Long, into: Cells): Boolean =
    read(wheel, start, start + range, into)

  protected def prepare(emitted: Long, start: Long, until: Long): Unit = ()
}

/** Elsewhere an instance is a queue of slices. They are taken in as they complete: those of a shared window are gone by
  * the next advance.
  */
private[window] final class HopStacks(
    wheel: Wheel,
    range: Long,
    slide: Long,
    emitters: Seq[Emitter],
    read: LevelRead,
    value: Cells,
    slices: Slices,
    protected val found: Instances
) extends Hops(wheel, range, slide, emitters, read, value) {
  private val stacks = new TwoStacks(wheel.schema)
  private var fed = Long.MinValue

  protected def evaluate(emitted: Long, start: Long, into: Cells): Boolean = {
    prepare(emitted, start, start + range)
    wheel.schema.clear(into, 0)
    stacks.fold(into, 0)
    !stacks.isEmpty
  }

  protected def prepare(emitted: Long, start: Long, until: Long): Unit = {
    stacks.dropBefore(start)
    fed = slices.feed(emitted, math.max(fed, start), until, stacks)
  }

  override def forget(): Unit = {
    super.forget()
    stacks.clear()
    fed = Long.MinValue
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
    case _ => -1
  }

  def cells: Cells = values
}
