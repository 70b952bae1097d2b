package io.paddlewheel.spark.state

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.paddlewheel.wheel.{RotationSource, Wheel}
import io.paddlewheel.window.{OpenSessions, Windows}

/** One key of a partition, as long as it has a slot that is open or a window that is.
  *
  * Its wheel may have been put to sleep, to spare memory: then only what it held is known, and that is in the state.
  */
private[state] final class KeyWheel(val key: UnsafeRow, partition: WheelPartition) extends RotationSource {
  val bytes: Array[Byte] = key.getBytes

  var wheel: Wheel = null
  var windows: Windows = null
  var sessions: Array[OpenSessions] = null
  var sessionsChanged = false

  /** Levels and rotations that the wheel held when it was put to sleep. */
  var asleep: Array[(Int, Long)] = null

  /** The watermark at which there is something to do, and the one it is listed under. */
  var due: Long = Long.MaxValue

  /** Marks it as waiting to be visited in the batch that is under way. */
  var waiting = false

  /** The starts of the slots that this batch has changed; kept only where windows are given out while they are open. */
  var touched: java.util.TreeSet[java.lang.Long] = null

  def isAsleep: Boolean = wheel == null

  def fetch(level: Int, rotation: Long): Array[Byte] = partition.rows.get(level, rotation, bytes)
}
