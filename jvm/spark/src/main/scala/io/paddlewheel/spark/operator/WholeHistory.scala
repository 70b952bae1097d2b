package io.paddlewheel.spark.operator

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.paddlewheel.column.Cells
import io.paddlewheel.wheel.Wheel
import io.paddlewheel.window.{Emission, OpenSessions}

/** Turns the wheels of a bounded input, one key after the other: rows of one key MUST be together. No row is late, and
  * every window ends.
  */
final class WholeHistory(parts: WheelParts, keyOf: InternalRow => UnsafeRow) {
  import parts.{blueprint, schema}
  import blueprint.levels

  private val incoming = Cells(schema, 1)

  def apply(input: Iterator[InternalRow]): Iterator[UnsafeRow] = {
    val rows = input.buffered
    Iterator.continually(rows).takeWhile(_.hasNext).flatMap { rest =>
      val key = keyOf(rest.head).copy()
      windowsOf(key, rest)
    }
  }

  private def windowsOf(
      key: UnsafeRow,
      rows: collection.BufferedIterator[InternalRow]
  ): Iterator[UnsafeRow] = {
    val wheel = new Wheel(levels, schema)
    val sessions = parts.sessionWindows.map { case (_, gap) => new OpenSessions(schema, gap) }
    while (rows.hasNext && keyOf(rows.head) == key) {
      val row = rows.next()
      val instant = row.getLong(blueprint.keys.size)
      blueprint.checkInstant(instant)
      parts.slots.read(row, blueprint.keys.size + 1, incoming, 0)
      wheel.insert(instant, incoming, 0)
      sessions.foreach(_.add(instant, incoming, 0))
    }
    spansOf(key, wheel) ++ sessions.indices.iterator.flatMap(s => sessionsOf(key, s, sessions(s)))
  }

  /** A stretch of windows at a time: there may be more of them than memory holds. */
  private def spansOf(key: UnsafeRow, wheel: Wheel): Iterator[UnsafeRow] = {
    val windows = parts.windowSet.of(wheel, io.paddlewheel.time.Instants.Min)
    val last = parts.windowSet.lastEnd(levels.base.floor(wheel.last - 1))
    val stretch =
      if (blueprint.emission == Emission.Latest) Long.MaxValue else levels.base.end(0) * WholeHistory.Slots
    Iterator.continually(windows.nextEnd()).takeWhile(_ != Long.MaxValue).flatMap { end =>
      val found = mutable.ArrayBuffer.empty[UnsafeRow]
      wheel.advance(if (stretch > last - end) last else end + stretch)
      windows.advance((w, start, end, value) =>
        found += parts.windowRows(key, parts.spans(w)._1, start, end, value)
      )
      found
    }
  }

  private def sessionsOf(key: UnsafeRow, s: Int, sessions: OpenSessions): Iterator[UnsafeRow] = {
    val found = mutable.ArrayBuffer.empty[UnsafeRow]
    sessions.close(Long.MaxValue) { (start, end, value) =>
      found += parts.windowRows(key, parts.sessionWindows(s)._1, start, end, value)
    }
    found.iterator
  }
}

private object WholeHistory {
  private val Slots = 4096L
}
