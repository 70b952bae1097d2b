package io.paddlewheel.spark.state

import java.nio.file.Files
import java.util.UUID

import scala.collection.mutable

import org.apache.hadoop.conf.Configuration
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, LongType, StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String

import io.paddlewheel.spark.operator.Blueprint

/** One event: its key, which may be null, its instant and its value. */
final case class Event(key: String, instant: Long, value: Long)

/** What came out: key, window, bounds and the fields after them. */
final case class Came(key: String, window: String, start: Long, end: Long, values: Seq[Long])

/** A partition of wheels over a real state store in a folder of its own, driven batch by batch as a task does it. */
final class StoredPartition(
    blueprint: Blueprint,
    conf: SQLConf,
    mostInMemory: Int = 1000,
    updates: Boolean = false
) {
  private val folder = Files.createTempDirectory("paddlewheel-state").toString
  private var provider = opened()
  private var partition: WheelPartition = null
  private val keyOf = UnsafeProjection.create(new StructType().add("key", StringType))
  private val partial = UnsafeProjection.create(
    Array[DataType](StringType, LongType, LongType, LongType, LongType)
  )
  var version = 0L

  private def opened(): WheelStateStoreProvider = {
    val made = new WheelStateStoreProvider
    val hadoop = new Configuration
    hadoop.set(StreamExecution.RUN_ID_KEY, UUID.randomUUID().toString)
    made.init(
      StateStoreId(folder, 0, 0),
      StateRows.KeySchema,
      StateRows.ValueSchema,
      RangeKeyScanStateEncoderSpec(StateRows.KeySchema, StateRows.Ordering),
      true,
      new StateStoreConf(conf),
      hadoop,
      false,
      None
    )
    made
  }

  /** Forgets what is in memory. */
  def forget(): Unit = partition = null

  /** Forgets it, and opens the state as another process would. */
  def reopen(): Unit = {
    provider.close()
    provider = opened()
    forget()
  }

  /** One batch: rows held to `late`, the watermark moved to `until`. */
  def batch(events: Seq[Event], late: Long, until: Long, commit: Boolean = true): Seq[Came] = {
    val store = provider.getStore(version)
    if (partition == null) partition = new WheelPartition(blueprint, updates)
    partition.open(new StateRows(store, 1))
    val earlier = if (late > partition.watermark) partition.turn(late, late).toSeq else Nil
    events.foreach { event =>
      val row = partial(
        InternalRow(UTF8String.fromString(event.key), event.instant, 1L, event.value, event.value)
      )
      partition.merge(keyOf(InternalRow(UTF8String.fromString(event.key))), event.instant, row, 2, late)
    }
    val found = (earlier ++ partition.turn(until, late)).map(read)
    partition.close(mostInMemory)
    if (commit) version = store.commit()
    else {
      store.abort()
      forget()
    }
    found.sortBy(came => (Option(came.key), came.window, came.start, came.end))
  }

  def stateRows: Long = partition.stateRows

  /** Every row of the state, by its key. */
  def state: Map[(Byte, Long, Seq[Byte]), Seq[Byte]] = {
    val store = provider.getReadStore(version)
    val rows = mutable.Map.empty[(Byte, Long, Seq[Byte]), Seq[Byte]]
    val all = store.iterator()
    while (all.hasNext) {
      val pair = all.next()
      val key = (pair.key.getByte(0), pair.key.getLong(1), pair.key.getBinary(2).toSeq)
      rows(key) = pair.value.getBinary(0).toSeq
    }
    all.close()
    store.release()
    rows.toMap
  }

  private def read(row: UnsafeRow): Came = {
    val named = blueprint.namesWindows
    val window = row.getStruct(if (named) 2 else 1, 2)
    val first = if (named) 3 else 2
    Came(
      if (row.isNullAt(0)) null else row.getUTF8String(0).toString,
      if (named) row.getUTF8String(1).toString else "",
      window.getLong(0),
      window.getLong(1),
      (first until first + 3).map(row.getLong)
    )
  }
}
