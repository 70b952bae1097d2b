package io.paddlewheel.spark.state

import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.streaming.state.{StateStore, UnsafeRowPair}
import org.apache.spark.sql.types._

/** The rows of a partition in Spark's state store, sorted by level, then rotation, then key.
  *
  * {{{
  *   level      rotation      key                 value
  *   0, 1, …    its number    bytes of the row    a packed rotation
  *   100        gap           bytes of the row    the open sessions of that gap
  *   -1         0             none                what the whole partition has in common
  *   -2         0             bytes of the row    total of what the top level has let go
  * }}}
  *
  * A key is kept as the bytes of its row, so that a range of rotations has bounds that no key can lie outside of: the
  * empty key is before every other.
  */
final class StateRows(store: StateStore, keyFields: Int) {
  import StateRows._

  private val keyFieldsRow = new GenericInternalRow(3)
  private val valueFieldsRow = new GenericInternalRow(1)
  private val toKey = UnsafeProjection.create(KeySchema)
  private val toValue = UnsafeProjection.create(ValueSchema)

  /** What was put there last; null if nothing was. */
  def get(level: Int, rotation: Long, key: Array[Byte]): Array[Byte] = {
    val value = store.get(row(level, rotation, key), Family)
    if (value == null) null else value.getBinary(0)
  }

  def put(level: Int, rotation: Long, key: Array[Byte], value: Array[Byte]): Unit = {
    valueFieldsRow.update(0, value)
    store.put(row(level, rotation, key), toValue(valueFieldsRow), Family)
  }

  def remove(level: Int, rotation: Long, key: Array[Byte]): Unit =
    store.remove(row(level, rotation, key), Family)

  /** Calls `visit` with rotation, key and value of each row of a level from rotation `from` up to, and without, `until`.
    * The bytes are the visitor's own. What it puts is not seen.
    */
  def scan(level: Int, from: Long, until: Long)(visit: (Long, UnsafeRow, Array[Byte]) => Unit): Unit = {
    val begin = row(level, from, NoKey).copy()
    val end = row(level, until, NoKey).copy()
    val rows = store.rangeScan(Some(begin), Some(end), Family)
    try
      while (rows.hasNext) {
        val pair: UnsafeRowPair = rows.next()
        val bytes = pair.key.getBinary(2)
        val key = new UnsafeRow(keyFields)
        key.pointTo(bytes, bytes.length)
        visit(pair.key.getLong(1), key, pair.value.getBinary(0))
      }
    finally rows.close()
  }

  /** Deletes the rows of a level from rotation `from` up to, and without, `until`. */
  def delete(level: Int, from: Long, until: Long): Unit = {
    val begin = row(level, from, NoKey).copy()
    store.deleteRange(begin, row(level, until, NoKey), Family)
  }

  private def row(level: Int, rotation: Long, key: Array[Byte]): UnsafeRow = {
    keyFieldsRow.update(0, level.toByte)
    keyFieldsRow.update(1, rotation)
    keyFieldsRow.update(2, key)
    toKey(keyFieldsRow)
  }
}

object StateRows {
  val KeySchema: StructType = StructType(
    Seq(
      StructField("level", ByteType, nullable = false),
      StructField("rotation", LongType, nullable = false),
      StructField("key", BinaryType, nullable = false)
    )
  )
  val ValueSchema: StructType = StructType(Seq(StructField("value", BinaryType, nullable = false)))

  /** Places of the columns that rows are sorted by. */
  val Ordering: Seq[Int] = Seq(0, 1)

  val Sessions = 100
  val Common = -1
  val LetGo = -2

  private[state] val NoKey = Array.emptyByteArray
  private val Family = StateStore.DEFAULT_COL_FAMILY_NAME
}
