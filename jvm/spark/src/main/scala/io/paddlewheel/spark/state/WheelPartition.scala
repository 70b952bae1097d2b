package io.paddlewheel.spark.state

import java.util

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.paddlewheel.Refusal
import io.paddlewheel.column.Cells
import io.paddlewheel.spark.operator.{Blueprint, WheelParts}
import io.paddlewheel.time.Instants
import io.paddlewheel.wheel.{Outcome, PackedRotation, Turn, Wheel}
import io.paddlewheel.window.{Emission, OpenSessions, Sink}

/** The wheels of one partition.
  *
  * In memory are the keys that have an open slot or data in an open window, each with the rotations those need; all else
  * is in the state and is fetched when a value must go there. What a batch changes is put into the state within that
  * batch. So this is a cache: it may be dropped after any batch, and MUST be after one that failed.
  *
  * In each batch call [[open]], [[merge]] for every row, [[turn]], and when what that gives has been used up [[close]]. Where
  * rows are held to a later watermark than the state has seen, [[turn]] to that first.
  */
final class WheelPartition(val blueprint: Blueprint, updates: Boolean) {
  import blueprint.{emission, lateness, levels}

  private val parts = new WheelParts(blueprint)
  import parts.{schema, sessionWindows, slots, spans, windowRows, windowSet}
  private val longestGap = sessionWindows.map(_._2).foldLeft(0L)(math.max(_, _))

  private val fingerprint = blueprint.fingerprint
  private val incoming = Cells(schema, 1)
  private val value = Cells(schema, 1)

  private val keys = new util.HashMap[UnsafeRow, KeyWheel]
  private val timetable = new Timetable
  private val retention = new Retention(levels, schema)
  private var waiting = new util.ArrayList[KeyWheel]
  private var mark: PartitionMark = null
  private var now: Turn = null
  private var newRows = 0L

  private[state] var rows: StateRows = null
  val metrics = new WheelMetrics

  def stateRows: Long = mark.rows
  def liveKeys: Int = keys.size
  def watermark: Long = mark.watermark

  /** Starts a batch over the state. The first time, what is needed of it is read. */
  def open(state: StateRows): Unit = {
    rows = state
    metrics.clear()
    if (mark == null) {
      val stored = rows.get(StateRows.Common, 0, StateRows.NoKey)
      mark = if (stored == null) PartitionMark.start(fingerprint, levels.count) else PartitionMark.of(stored)
      if (mark.fingerprint != fingerprint)
        throw new Refusal(
          "STATE_OF_ANOTHER_SPEC",
          "The state was written with other keys, levels or aggregates than the query has now. " +
            "Use the spec it was written with, or start with a new checkpoint."
        )
      if (mark.watermark > Instants.Min) now = new Turn(levels, mark.watermark)
      if (stored != null) recover()
    }
  }

  /** Whether a row may still be merged at a watermark: some window that has it is open, or the history takes it. */
  private def isLate(instant: Long, late: Long): Boolean =
    instant < late && {
      val slot = levels.base.floor(instant)
      windowSet.lastEnd(slot) <= late && instant + longestGap <= late &&
      levels.base.end(levels.base.slotOf(instant)) <= lateness.before(late, levels.zone)
    }

  /** Merges a row of Spark's partial aggregate; `ordinal` is the field of its first buffer. */
  def merge(key: UnsafeRow, instant: Long, row: InternalRow, ordinal: Int, late: Long): Unit =
    if (isLate(instant, late)) metrics.dropped += 1
    else {
      blueprint.checkInstant(instant)
      val k = touch(key)
      slots.read(row, ordinal, incoming, 0)
      val outcome = k.wheel.insert(instant, incoming, 0)
      if (outcome eq Outcome.Expired) metrics.dropped += 1
      else {
        if (outcome eq Outcome.Repaired) k.windows.forget()
        if (updates) k.touched.add(levels.base.floor(instant))
        var s = 0
        while (s < sessionWindows.length) {
          if (instant + sessionWindows(s)._2 > late) {
            k.sessions(s).add(instant, incoming, 0)
            k.sessionsChanged = true
          }
          s += 1
        }
      }
    }

  /** Moves the watermark on, as far as `until`: gives, key by key, the rows of the windows that have ended, or in update
    * mode of those that rows were merged into. Each must be taken before the next batch.
    *
    * @param late
    *   the watermark that rows were held to
    */
  def turn(until: Long, late: Long): Iterator[UnsafeRow] = {
    val from = mark.watermark
    val advances = until > from
    if (advances) {
      val next = new Turn(levels, math.min(until, Instants.Max))
      findRotationsToSeal(next)
      timetable.takeDue(until)(k => if (keys.get(k.key) eq k) await(k))
      now = next
    }
    val visited = waiting
    waiting = new util.ArrayList[KeyWheel]
    val keepFrom = rotationsKept(math.max(until, from))
    val out = new mutable.ArrayDeque[UnsafeRow]
    var at = 0
    def fill(): Unit =
      while (out.isEmpty && at < visited.size) {
        visit(visited.get(at), advances, late, keepFrom, out)
        visited.set(at, null)
        at += 1
      }
    new Iterator[UnsafeRow] {
      def hasNext: Boolean = {
        fill()
        if (out.isEmpty && advances && mark.watermark < until) mark = mark.copy(watermark = until)
        out.nonEmpty
      }

      def next(): UnsafeRow = {
        fill()
        metrics.emitted += 1
        out.removeHead()
      }
    }
  }

  /** Ends a batch: deletes what retention has let go, and writes the common row. */
  def close(mostInMemory: Int): Unit = {
    if (now != null) {
      val (oldest, deleted) = retention(rows, now, mark.oldest, rotationsKept(now.watermark))
      mark = mark.copy(oldest = oldest)
      metrics.removed += deleted
      newRows -= deleted
    }
    mark = mark.copy(rows = mark.rows + newRows)
    newRows = 0
    rows.put(StateRows.Common, 0, StateRows.NoKey, mark.toBytes)
    if (keys.size > mostInMemory) putToSleep(mostInMemory)
    rows = null
  }

  /** The wheel of a key, made or woken if need be, at the watermark, and listed to be visited. */
  private def touch(key: UnsafeRow): KeyWheel = {
    val known = keys.get(key)
    if (known == null || known.isAsleep) metrics.misses += 1 else metrics.hits += 1
    val k = if (known == null) make(key.copy()) else known
    await(k)
    k
  }

  private def make(key: UnsafeRow): KeyWheel = {
    val k = new KeyWheel(key, this)
    begin(k)
    keys.put(key, k)
    k
  }

  private def begin(k: KeyWheel): Unit = {
    k.wheel = new Wheel(levels, schema, k)
    if (now != null) k.wheel.advance(now)
    k.windows = windowSet.of(k.wheel, mark.watermark)
    k.sessions = sessionWindows.map { case (_, gap) => new OpenSessions(schema, gap) }
    if (updates) k.touched = new util.TreeSet
  }

  private def wake(k: KeyWheel): Unit = {
    begin(k)
    k.asleep.foreach { case (level, rotation) =>
      val stored = k.fetch(level, rotation)
      if (stored != null) k.wheel.adopt(level, rotation, stored)
    }
    sessionWindows.indices.foreach { s =>
      val stored = rows.get(StateRows.Sessions, sessionWindows(s)._2, k.bytes)
      if (stored != null) k.sessions(s).unpack(stored)
    }
    k.asleep = null
  }

  /** Lists a key to be visited in this batch, once, and brings its wheel to the watermark: rows may be late only by that.
    * Nothing ends or is sealed by it, or the key would have been visited then.
    */
  private def await(k: KeyWheel): Unit = if (!k.waiting) {
    if (k.isAsleep) wake(k)
    if (now != null && k.wheel.watermark < now.watermark) {
      k.wheel.advance(now)
      if (!updates) k.windows.advance(WheelPartition.Nothing)
    }
    k.waiting = true
    waiting.add(k)
  }

  private def putToSleep(mostInMemory: Int): Unit = {
    val all = keys.values.iterator
    var rest = keys.size
    while (rest > mostInMemory && all.hasNext) {
      val k = all.next()
      if (!k.isAsleep) {
        k.asleep = (0 until levels.count).flatMap(l => k.wheel.rotations(l).map(l -> _)).toArray
        k.wheel = null
        k.windows = null
        k.sessions = null
        k.touched = null
      }
      rest -= 1
    }
  }

  /** Takes in the rotations of upper levels that the watermark is about to pass and that are only in the state. Those of
    * the base, and what this batch has changed, are in memory.
    */
  private def findRotationsToSeal(next: Turn): Unit = if (now != null) {
    (1 until levels.count).filter(l => now.open(l) < next.open(l)).foreach { level =>
      val found = new util.ArrayList[(Long, UnsafeRow, Array[Byte])]
      rows.scan(level, now.open(level), next.open(level))((rotation, key, bytes) =>
        found.add((rotation, key, bytes))
      )
      found.forEach { case (rotation, key, bytes) =>
        val k = knownOrMade(key)
        await(k)
        if (!k.wheel.holds(level, rotation)) k.wheel.adopt(level, rotation, bytes)
      }
    }
  }

  private def visit(
      k: KeyWheel,
      advances: Boolean,
      late: Long,
      keepFrom: Array[Long],
      out: mutable.ArrayDeque[UnsafeRow]
  ): Unit = {
    k.waiting = false
    if (updates) emitTouched(k, late, out)
    if (advances) {
      val before = k.wheel.sealedSoFar
      k.wheel.advance(now)
      metrics.slotsSealed += k.wheel.sealedSoFar - before
    }
    if (!updates) emitEnded(k, out)
    write(k)
    var level = 0
    while (level < levels.count) {
      k.wheel.release(level, keepFrom(level))
      level += 1
    }
    schedule(k)
  }

  private def emitEnded(k: KeyWheel, out: mutable.ArrayDeque[UnsafeRow]): Unit = {
    k.windows.advance((w, start, end, cells) => out.append(windowRows(k.key, spans(w)._1, start, end, cells)))
    var s = 0
    while (s < sessionWindows.length) {
      if (now != null && k.sessions(s).nextEnd <= now.watermark) {
        k.sessions(s).close(now.watermark) { (start, end, cells) =>
          out.append(windowRows(k.key, sessionWindows(s)._1, start, end, cells))
        }
        k.sessionsChanged = true
      }
      s += 1
    }
  }

  /** The windows that rows were merged into, as they stand. */
  private def emitTouched(k: KeyWheel, late: Long, out: mutable.ArrayDeque[UnsafeRow]): Unit =
    if (!k.touched.isEmpty) {
      val after = lateness.before(late, levels.zone)
      spans.indices.foreach { w =>
        val instances = mutable.LinkedHashSet.empty[(Long, Long)]
        k.touched.forEach(slot =>
          windowSet.instances(w, slot, after)((start, end) => instances.add((start, end)))
        )
        val chosen = if (emission == Emission.Latest) instances.lastOption.toSeq else instances
        chosen.foreach { case (start, end) =>
          if (windowSet.read(w, k.wheel, start, end, value))
            out.append(windowRows(k.key, spans(w)._1, start, end, value))
        }
      }
      k.touched.clear()
    }

  private def write(k: KeyWheel): Unit = {
    k.wheel.takeChanges { (level, rotation, slots, isNew) =>
      rows.put(level, rotation, k.bytes, PackedRotation.pack(slots.bitmap, slots.cells))
      if (isNew) newRows += 1
      metrics.rotationsWritten += 1
    }
    if (k.sessionsChanged) {
      k.sessionsChanged = false
      sessionWindows.indices.foreach { s =>
        val gap = sessionWindows(s)._2
        if (k.sessions(s).isEmpty) rows.remove(StateRows.Sessions, gap, k.bytes)
        else rows.put(StateRows.Sessions, gap, k.bytes, k.sessions(s).pack())
      }
    }
  }

  /** Lists a key under the watermark at which there is something to do, or forgets it if there never will be. */
  private def schedule(k: KeyWheel): Unit = {
    var next = math.min(k.wheel.nextSeal, nextEnd(k))
    var s = 0
    while (s < k.sessions.length) {
      next = math.min(next, k.sessions(s).nextEnd)
      s += 1
    }
    if (next == Long.MaxValue) {
      keys.remove(k.key)
      k.due = next
    } else if (k.due != next) {
      k.due = next
      timetable.add(k)
    }
  }

  /** When the next window with data ends. In update mode one that has ended is kept as long as it may be given out again. */
  private def nextEnd(k: KeyWheel): Long =
    if (!updates) k.windows.nextEnd()
    else if (now == null) k.windows.nextEnd(Instants.Min)
    else {
      val end = k.windows.nextEnd(lateness.before(now.watermark, levels.zone))
      if (end == Long.MaxValue) end
      else math.max(now.watermark + 1, lateness.after(end, levels.zone))
    }

  /** From when on a level is needed by windows that may still be given out. */
  private def neededFrom(level: Int, watermark: Long): Long =
    windowSet.neededFrom(level, if (updates) lateness.before(watermark, levels.zone) else watermark)

  /** For each level the first rotation that such a window may need. */
  private def rotationsKept(watermark: Long): Array[Long] =
    Array.tabulate(levels.count)(level => levels.rotationAt(level, neededFrom(level, watermark)))

  /** Finds the keys that have an open slot, or data in an open window. */
  private def recover(): Unit = {
    val keepFrom = rotationsKept(mark.watermark)
    (0 until levels.count).foreach { level =>
      val needed = neededFrom(level, mark.watermark) < mark.watermark
      if (level == 0 || needed) {
        val open = if (now == null) Long.MinValue else now.open(level)
        rows.scan(level, math.min(open, keepFrom(level)), Long.MaxValue) { (rotation, key, bytes) =>
          knownOrMade(key).wheel.adopt(level, rotation, bytes)
        }
      }
    }
    val gaps = sessionWindows.map(_._2)
    val forgotten = mutable.Set.empty[Long]
    rows.scan(StateRows.Sessions, Long.MinValue, Long.MaxValue) { (gap, key, bytes) =>
      if (!gaps.contains(gap)) forgotten += gap
      else gaps.indices.filter(gaps(_) == gap).foreach(s => knownOrMade(key).sessions(s).unpack(bytes))
    }
    // Of windows that the spec no longer has.
    forgotten.foreach(gap => rows.delete(StateRows.Sessions, gap, gap + 1))
    new util.ArrayList(keys.values).forEach(k => schedule(k))
  }

  /** The wheel of a key whose row is this partition's own. */
  private def knownOrMade(key: UnsafeRow): KeyWheel = {
    val known = keys.get(key)
    if (known == null) make(key) else known
  }
}

private object WheelPartition {
  private val Nothing: Sink = (_, start, _, _) =>
    throw new IllegalStateException(s"A window that starts at ${Instants.show(start)} was missed")
}
