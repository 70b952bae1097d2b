package io.paddlewheel.wheel

import io.paddlewheel.Refusal
import io.paddlewheel.column.{Bits, Cells, Schema}
import io.paddlewheel.time.{Instants, Levels}

/** All levels of one key.
  *
  * Values are merged into slots of the base. As the watermark advances, rotations below it are sealed and their totals
  * become one slot of the next level. A level above the base therefore knows only sealed time; the base knows all.
  *
  * With a `source` only part of it need be in memory: rotations are fetched from there when a value must go into one
  * that is not here, [[takeChanges]] says what must be written there, and [[release]] forgets what has been. Whoever
  * gives a source MUST first [[adopt]] every rotation that is open at the base.
  *
  * Not thread-safe: one thread at a time, readers included.
  */
final class Wheel(val levels: Levels, val schema: Schema, source: RotationSource = null) {
  private val sealedSlots = new Array[Track](levels.count)
  private val liveSlots = new Array[LiveRotations](levels.count)
  private val changes = if (source == null) null else new Array[Changes](levels.count)
  private var turn: Turn = null
  private var mark = Instants.Min
  private var quietUntil = Instants.Min
  private var slotsSealed = 0L
  // Of everything that was ever sealed here; null until there is something, or where a source has the rest.
  private var sealedTotal: Cells = null
  private var earliest = Long.MaxValue
  private var latest = Long.MinValue
  // The live slot the last value went to, and its rotation: the next one mostly goes there too.
  private var hotRotation: LiveRotation = null
  private var hotFirstSlot = 0L
  private var hotEndSlot = 0L
  private var hotStart = Long.MaxValue
  private var hotEnd = Long.MinValue
  private var hotPlace = 0

  def watermark: Long = mark
  def isEmpty: Boolean = earliest == Long.MaxValue

  /** Start of the first and end of the last base slot ever merged; for an empty wheel the first is after the last. */
  def first: Long = earliest
  def last: Long = latest

  /** Merges slot `j` of `from` into a base slot. Rows must be dropped by the caller's own rule for late ones: whatever
    * comes here is kept as long as some level still holds its time.
    */
  def merge(slot: Long, from: Cells, j: Int): Outcome =
    if (slot >= hotFirstSlot && slot < hotEndSlot) mergeHot(slot, from, j)
    else {
      val rotation = levels.rotationOf(0, slot)
      if (turn == null || rotation >= turn.open(0)) {
        warm(rotation)
        mergeHot(slot, from, j)
      } else {
        val outcome = repair(rotation, (slot - levels.firstSlot(0, rotation)).toInt, from, j)
        if (outcome ne Outcome.Expired) witness(levels.base.start(slot), levels.base.end(slot))
        outcome
      }
    }

  /** Merges slot `j` of `from` into the base slot of an instant. */
  def insert(instant: Long, from: Cells, j: Int): Outcome =
    if (instant >= hotStart && instant < hotEnd) {
      schema.merge(hotRotation.cells, hotPlace, from, j)
      hotOutcome
    } else merge(levels.base.slotOf(instant), from, j)

  /** Merges positions `[begin, end)` of `values` into the base slots of their instants, which may be in any order. Runs of
    * instants in one slot are folded by the columns' tight loops. How many were late is added to `late`.
    */
  def insert(instants: Array[Long], values: Cells, begin: Int, end: Int, late: Late): Unit = {
    var j = begin
    while (j < end) {
      insert(instants(j), values, j) match {
        case Outcome.Live => ()
        case Outcome.Repaired => late.repaired += 1
        case Outcome.Expired => late.expired += 1
      }
      j += 1
      val first = j
      val from = hotStart
      val until = hotEnd
      while (j < end && instants(j) >= from && instants(j) < until) j += 1
      if (first < j) {
        schema.fold(hotRotation.cells, hotPlace, values, first, j)
        if (hotOutcome eq Outcome.Repaired) late.repaired += j - first
      }
    }
  }

  private def hotOutcome: Outcome = if (hotEnd <= mark) Outcome.Repaired else Outcome.Live

  private def warm(rotation: Long): Unit = {
    hotRotation = liveAt(0, rotation)
    hotFirstSlot = levels.firstSlot(0, rotation)
    hotEndSlot = levels.firstSlot(0, rotation + 1)
  }

  private def mergeHot(slot: Long, from: Cells, j: Int): Outcome = {
    hotPlace = hotRotation.merge((slot - hotFirstSlot).toInt, from, j)
    hotStart = levels.base.start(slot)
    hotEnd = levels.base.end(slot)
    witness(hotStart, hotEnd)
    hotOutcome
  }

  private def witness(start: Long, end: Long): Unit = {
    earliest = math.min(earliest, start)
    latest = math.max(latest, end)
  }

  private def cool(): Unit = {
    hotRotation = null
    hotEndSlot = hotFirstSlot
    hotStart = Long.MaxValue
  }

  /** Moves the watermark and seals what it has passed. A watermark that does not advance changes nothing. */
  def advance(watermark: Long): Unit =
    if (watermark > mark) {
      if (watermark < quietUntil) mark = watermark
      else advance(new Turn(levels, math.min(watermark, Instants.Max)))
    }

  /** As the other, for many wheels of one watermark. */
  def advance(to: Turn): Unit =
    if (to.watermark > mark) {
      mark = to.watermark
      quietUntil = to.until
      turn = to
      cool()
      var level = 0
      while (level < levels.count) {
        if (liveSlots(level) != null) seal(level, to.open(level))
        level += 1
      }
    }

  /** Drops the rotations that retention has let go of, except what is needed from `keepFrom` on; how many there were. */
  def expire(keepFrom: Long = Long.MaxValue): Int =
    if (turn == null) 0
    else
      sealedSlots.indices.iterator
        .filter(sealedSlots(_) != null)
        .map { level =>
          val oldest = turn.oldest(level)
          sealedSlots(level).dropBefore(
            if (keepFrom >= turn.heldFrom(level)) oldest
            else math.min(oldest, levels.rotationAt(level, keepFrom))
          )
        }
        .sum

  /** Merges slots `[from, until)` of a level into position `i` of `into`; whether any were present. */
  def fold(into: Cells, i: Int, level: Int, from: Long, until: Long): Boolean = {
    val fromRotation = levels.rotationOf(level, from)
    val untilRotation = levels.rotationOf(level, until)
    val fromIndex = (from - levels.firstSlot(level, fromRotation)).toInt
    val untilIndex = (until - levels.firstSlot(level, untilRotation)).toInt
    fold(into, i, level, fromRotation, fromIndex, untilRotation, untilIndex)
  }

  /** Merges the slots from `(fromRotation, fromIndex)` up to, and without, `(untilRotation, untilIndex)` of a level into
    * position `i` of `into`; whether any were present.
    */
  def fold(
      into: Cells,
      i: Int,
      level: Int,
      fromRotation: Long,
      fromIndex: Int,
      untilRotation: Long,
      untilIndex: Int
  ): Boolean = {
    val track = sealedSlots(level)
    val rotations = liveSlots(level)
    var found = track != null && track.fold(into, i, fromRotation, fromIndex, untilRotation, untilIndex)
    if (rotations != null && rotations.size > 0) {
      var at = rotations.search(fromRotation)
      while (at < rotations.size && rotations(at).rotation <= untilRotation) {
        val rotation = rotations(at)
        val begin = if (rotation.rotation == fromRotation) fromIndex else 0
        val end = if (rotation.rotation == untilRotation) untilIndex else 64
        if (rotation.fold(into, i, begin, end) > 0) found = true
        at += 1
      }
    }
    found
  }

  /** As [[fold]], of `[start, end)`, edges of the level's slots, wherever the watermark is: time that the level does not
    * know yet is taken from the finer ones.
    */
  def foldOpen(into: Cells, i: Int, level: Int, start: Long, end: Long): Boolean = {
    var found = false
    var from = start
    var l = level
    while (from < end && l >= 0) {
      val grid = levels.granularity(l)
      val until = if (l == 0) end else if (turn == null) from else math.min(end, grid.floor(mark))
      if (from < until) {
        if (fold(into, i, l, grid.slotOf(from), grid.slotOf(until))) found = true
        from = until
      }
      l -= 1
    }
    found
  }

  /** The earliest start of a slot with data, of the level or a finer one, that is not before `instant`, a slot edge of
    * the level; `Long.MaxValue` if there is none.
    */
  def nextData(instant: Long, level: Int): Long = {
    var next = Long.MaxValue
    var l = level
    while (l >= 0) {
      nextSlot(instant, l).foreach(slot => next = math.min(next, slot))
      l -= 1
    }
    next
  }

  /** Makes position `i` of `into` the total of everything that was ever merged here, expired or not; whether there is
    * anything. Not with a source.
    */
  def landmark(into: Cells, i: Int): Boolean = {
    if (sealedTotal != null) into.set(i, sealedTotal, 0) else schema.clear(into, i)
    val rotations = liveSlots(0)
    if (rotations == null || rotations.size == 0) sealedTotal != null
    else {
      var at = 0
      while (at < rotations.size) {
        rotations(at).fold(into, i, 0, 64)
        at += 1
      }
      true
    }
  }

  /** The start of the first slot of a level that holds something and does not start before `instant`. */
  def nextSlot(instant: Long, level: Int = 0): Option[Long] = {
    val grid = levels.granularity(level)
    val slot = grid.slotOf(grid.ceil(instant))
    val rotation = levels.rotationOf(level, slot)
    val index = (slot - levels.firstSlot(level, rotation)).toInt
    val track = sealedSlots(level)
    val found = if (track == null) None else track.next(rotation, index)
    found.orElse(nextLive(level, rotation, index)).map { case (r, k) =>
      grid.start(levels.firstSlot(level, r) + k)
    }
  }

  /** The start of the last slot of a level that holds something and starts before `instant`. */
  def previousSlot(instant: Long, level: Int = 0): Option[Long] = {
    val grid = levels.granularity(level)
    val slot = grid.slotOf(grid.ceil(instant))
    val rotation = levels.rotationOf(level, slot)
    val index = (slot - levels.firstSlot(level, rotation)).toInt
    val track = sealedSlots(level)
    previousLive(level, rotation, index)
      .orElse(if (track == null) None else track.previous(rotation, index))
      .map { case (r, k) => grid.start(levels.firstSlot(level, r) + k) }
  }

  /** The rotations a level has, sealed and live, in time order. */
  def rotations(level: Int): Iterator[Long] = {
    val track = Iterator.single(sealedSlots(level)).filter(_ != null).flatMap(_.rotations)
    val live = Iterator.single(liveSlots(level)).filter(_ != null)
    track ++ live.flatMap(rotations => Iterator.range(0, rotations.size).map(rotations(_).rotation))
  }

  /** The slots of one rotation; none if the level has no such rotation. */
  def rotation(level: Int, number: Long): Option[PackedRotation.Slots] = {
    val track = Option(sealedSlots(level)).flatMap(_.rotation(number))
    track.map { case (bitmap, cells) => PackedRotation.Slots(bitmap, cells) }.orElse {
      Option(liveSlots(level)).flatMap { rotations =>
        val at = rotations.search(number)
        if (at < rotations.size && rotations(at).rotation == number)
          Some(rotations(at).slots)
        else None
      }
    }
  }

  /** Everything a wheel is, as bytes. [[Wheel.restore]] is the inverse. */
  def pack(): PackedWheel = {
    val rotationsOf = sealedSlots.indices.map { level =>
      rotations(level)
        .flatMap(r => rotation(level, r).map(s => r -> PackedRotation.pack(s.bitmap, s.cells)))
        .toVector
    }
    PackedWheel(
      mark,
      earliest,
      latest,
      if (sealedTotal == null) PackedRotation.pack(0L, Cells(schema, 0))
      else PackedRotation.pack(1L, sealedTotal),
      rotationsOf
    )
  }

  /** Gives back memory kept for growth. */
  def trim(): Unit = sealedSlots.foreach(track => if (track != null) track.trim())

  /** Takes in a rotation that was written earlier, later than all others of its level that are sealed and here. */
  def adopt(level: Int, number: Long, bytes: Array[Byte]): Unit = {
    load(level, number, PackedRotation.unpack(schema, bytes))
    witness(levels.rotationStart(level, number), levels.rotationEnd(level, number))
  }

  /** Calls `visit` with level, number and slots of each rotation changed since the last time, and whether it is new; only
    * with a source.
    */
  def takeChanges(visit: (Int, Long, PackedRotation.Slots, Boolean) => Unit): Unit = {
    var level = 0
    while (level < levels.count) {
      if (changes(level) != null) {
        changes(level).foreach((number, isNew) => visit(level, number, rotation(level, number).get, isNew))
        changes(level) = null
      }
      level += 1
    }
    cool()
  }

  /** Forgets the sealed rotations of a level before `rotation`; the source has them. */
  def release(level: Int, rotation: Long): Unit =
    if (sealedSlots(level) != null) sealedSlots(level).dropBefore(rotation)

  /** The first watermark that seals a rotation of the base; `Long.MaxValue` if none is live. */
  def nextSeal: Long =
    if (liveSlots(0) == null || liveSlots(0).size == 0) Long.MaxValue
    else levels.rotationEnd(0, liveSlots(0)(0).rotation)

  /** Whether the level has that rotation here. */
  def holds(level: Int, rotation: Long): Boolean =
    liveSlots(level) != null && liveSlots(level).find(rotation) != null ||
      sealedSlots(level) != null && sealedSlots(level).contains(rotation)

  /** How many slots were sealed since the wheel was made. */
  def sealedSoFar: Long = slotsSealed

  private def load(level: Int, number: Long, slots: PackedRotation.Slots): Unit =
    if (turn == null || number >= turn.open(level)) live(level).add(number, slots)
    else {
      val total = Cells(schema, 1)
      schema.clear(total, 0)
      schema.fold(total, 0, slots.cells, 0, java.lang.Long.bitCount(slots.bitmap))
      track(level).append(number, slots.bitmap, slots.cells, total)
    }

  private def seal(level: Int, open: Long): Unit = {
    val rotations = liveSlots(level)
    var done = 0
    while (done < rotations.size && rotations(done).rotation < open) {
      val rotation = rotations(done)
      val total = Cells(schema, 1)
      schema.clear(total, 0)
      rotation.fold(total, 0, 0, 64)
      rotation.close()
      track(level).append(rotation.rotation, rotation.bitmap, rotation.cells, total)
      if (level == 0) mergeLandmark(total, 0)
      if (level < levels.top) mergeLive(level + 1, rotation.rotation, total, 0)
      slotsSealed += rotation.size
      done += 1
    }
    if (done > 0) rotations.dropFirst(done)
  }

  private def repair(baseRotation: Long, baseIndex: Int, from: Cells, j: Int): Outcome = {
    var rotation = baseRotation
    var index = baseIndex
    var level = 0
    var kept = false
    while (level < levels.count && rotation < turn.open(level)) {
      if (rotation >= turn.oldest(level)) {
        recall(level, rotation)
        track(level).merge(rotation, index, from, j)
        kept = true
      }
      level += 1
      if (level < levels.count) {
        val slot = rotation
        rotation = levels.rotationOf(level, slot)
        index = (slot - levels.firstSlot(level, rotation)).toInt
      }
    }
    if (level < levels.count) {
      liveAt(level, rotation).merge(index, from, j)
      kept = true
    }
    if (kept) mergeLandmark(from, j)
    if (kept) Outcome.Repaired else Outcome.Expired
  }

  private def mergeLive(level: Int, slot: Long, from: Cells, j: Int): Unit = {
    val rotation = levels.rotationOf(level, slot)
    liveAt(level, rotation).merge((slot - levels.firstSlot(level, rotation)).toInt, from, j)
  }

  /** The live rotation that a value goes into. Those of the base are all here; of the others, once written, only those
    * that were needed since.
    */
  private def liveAt(level: Int, rotation: Long): LiveRotation = {
    val found = live(level).find(rotation)
    if (source == null) { if (found == null) live(level).add(rotation) else found }
    else {
      val bytes = if (found != null || level == 0) null else source.fetch(level, rotation)
      note(level, rotation, isNew = found == null && bytes == null)
      if (found != null) found
      else if (bytes == null) live(level).add(rotation)
      else live(level).add(rotation, PackedRotation.unpack(schema, bytes))
    }
  }

  private def note(level: Int, rotation: Long, isNew: Boolean): Unit = {
    if (changes(level) == null) changes(level) = new Changes
    changes(level).note(rotation, isNew)
  }

  /** Makes sure that a sealed rotation which is about to be repaired is here, if it was ever written. */
  private def recall(level: Int, rotation: Long): Unit = if (source != null) {
    val present = track(level).contains(rotation)
    val bytes = if (present) null else source.fetch(level, rotation)
    note(level, rotation, isNew = !present && bytes == null)
    if (bytes != null) {
      val slots = PackedRotation.unpack(schema, bytes)
      var rest = slots.bitmap
      var j = 0
      while (rest != 0) {
        track(level).merge(rotation, java.lang.Long.numberOfTrailingZeros(rest), slots.cells, j)
        rest &= rest - 1
        j += 1
      }
    }
  }

  private def mergeLandmark(from: Cells, j: Int): Unit = if (source == null) {
    if (sealedTotal == null) {
      sealedTotal = Cells(schema, 1)
      schema.clear(sealedTotal, 0)
    }
    schema.merge(sealedTotal, 0, from, j)
  }

  private def nextLive(level: Int, rotation: Long, index: Int): Option[(Long, Int)] = {
    val rotations = liveSlots(level)
    if (rotations == null) None
    else
      Iterator
        .range(rotations.search(rotation), rotations.size)
        .map(rotations(_))
        .map(r => (r.rotation, if (r.rotation == rotation) r.bitmap & ~Bits.lowest(index) else r.bitmap))
        .collectFirst { case (r, rest) if rest != 0 => (r, java.lang.Long.numberOfTrailingZeros(rest)) }
  }

  private def previousLive(level: Int, rotation: Long, index: Int): Option[(Long, Int)] = {
    val rotations = liveSlots(level)
    if (rotations == null) None
    else
      Iterator
        .range(math.min(rotations.search(rotation), rotations.size - 1), -1, -1)
        .map(rotations(_))
        .map { r =>
          val until = if (r.rotation == rotation) index else if (r.rotation < rotation) 64 else 0
          (r.rotation, r.bitmap & Bits.lowest(until))
        }
        .collectFirst { case (r, rest) if rest != 0 => (r, 63 - java.lang.Long.numberOfLeadingZeros(rest)) }
  }

  private def track(level: Int): Track = {
    if (sealedSlots(level) == null) sealedSlots(level) = new Track(schema)
    sealedSlots(level)
  }

  private def live(level: Int): LiveRotations = {
    if (liveSlots(level) == null) liveSlots(level) = new LiveRotations(schema)
    liveSlots(level)
  }
}

/** A wheel as bytes: for each level its rotations, and what cannot be derived from them. */
final case class PackedWheel(
    watermark: Long,
    first: Long,
    last: Long,
    landmark: Array[Byte],
    rotations: IndexedSeq[IndexedSeq[(Long, Array[Byte])]]
) {
  def bytes: Long = landmark.length + rotations.iterator.flatten.map(_._2.length.toLong).sum
}

object Wheel {

  /** The wheel that was packed, with the same answers and the same bytes. */
  def restore(levels: Levels, schema: Schema, packed: PackedWheel): Wheel = {
    if (packed.rotations.size != levels.count)
      throw new Refusal(
        "WHEEL_LEVELS_MISMATCH",
        s"The stored wheel has ${packed.rotations.size} levels, the spec ${levels.count}. Use the spec it was written with."
      )
    val wheel = new Wheel(levels, schema)
    wheel.advance(packed.watermark)
    packed.rotations.indices.foreach { level =>
      packed.rotations(level).foreach { case (rotation, bytes) =>
        wheel.load(level, rotation, PackedRotation.unpack(schema, bytes))
      }
    }
    wheel.earliest = packed.first
    wheel.latest = packed.last
    val landmark = PackedRotation.unpack(schema, packed.landmark)
    // Set, not merged into the neutral element: a mean would be rounded by that.
    if (landmark.bitmap != 0) {
      wheel.sealedTotal = Cells(schema, 1)
      wheel.sealedTotal.set(0, landmark.cells, 0)
    }
    wheel
  }
}
