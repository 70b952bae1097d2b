package io.paddlewheel.spark.state

import io.paddlewheel.column.{Cells, Schema}
import io.paddlewheel.time.Levels
import io.paddlewheel.wheel.{PackedRotation, Turn}

/** Deletes the rotations that levels no longer keep.
  *
  * What the top level lets go is in no other: its total is kept for each key, so that all that ever was can still be told.
  */
private[state] final class Retention(levels: Levels, schema: Schema) {

  /** Deletes what a turn has let go and no window needs; how many rows that were.
    *
    * @param oldest
    *   the first rotation of each level that has not been deleted yet
    * @param needed
    *   the first of each that an open window may need
    */
  def apply(
      rows: StateRows,
      now: Turn,
      oldest: IndexedSeq[Long],
      needed: Array[Long]
  ): (IndexedSeq[Long], Long) = {
    var deleted = 0L
    val kept = (0 until levels.count).map { level =>
      val cut = math.min(levels.rotationAt(level, now.heldFrom(level)), needed(level))
      if (levels(level).retention.isEmpty || cut <= oldest(level)) oldest(level)
      else {
        deleted += delete(rows, level, oldest(level), cut)
        cut
      }
    }
    (kept, deleted)
  }

  private def delete(rows: StateRows, level: Int, from: Long, until: Long): Long = {
    var found = 0L
    rows.scan(level, from, until) { (_, key, bytes) =>
      found += 1
      if (level == levels.top) addToTotal(rows, key.getBytes, bytes)
    }
    if (found > 0) rows.delete(level, from, until)
    found
  }

  private def addToTotal(rows: StateRows, key: Array[Byte], bytes: Array[Byte]): Unit = {
    val gone = PackedRotation.unpack(schema, bytes)
    val total = Cells(schema, 1)
    schema.clear(total, 0)
    val stored = rows.get(StateRows.LetGo, 0, key)
    if (stored != null) schema.merge(total, 0, PackedRotation.unpack(schema, stored).cells, 0)
    schema.fold(total, 0, gone.cells, 0, java.lang.Long.bitCount(gone.bitmap))
    rows.put(StateRows.LetGo, 0, key, PackedRotation.pack(1L, total))
  }
}
