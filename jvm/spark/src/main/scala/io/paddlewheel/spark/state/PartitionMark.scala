package io.paddlewheel.spark.state

import java.nio.{BufferUnderflowException, ByteBuffer}

import io.paddlewheel.Refusal
import io.paddlewheel.time.Instants

/** What all keys of a partition have in common: how far the watermark has come, and what is stored.
  *
  * {{{
  *   0        version, 1
  *   1 .. 8   fingerprint of what the format depends on
  *   9 ..16   watermark
  *  17 ..24   number of rotations
  *  25        number of levels, n
  *  then      for each level the first rotation not deleted yet, 8 bytes
  * }}}
  */
final case class PartitionMark(fingerprint: Long, watermark: Long, rows: Long, oldest: IndexedSeq[Long]) {

  def toBytes: Array[Byte] = {
    val out = ByteBuffer.allocate(26 + 8 * oldest.size)
    out.put(PartitionMark.Version).putLong(fingerprint).putLong(watermark).putLong(rows)
    out.put(oldest.size.toByte)
    oldest.foreach(out.putLong)
    out.array
  }
}

object PartitionMark {
  private val Version: Byte = 1

  /** Of a partition in which nothing has been stored. */
  def start(fingerprint: Long, levels: Int): PartitionMark =
    PartitionMark(fingerprint, Instants.Min, 0, IndexedSeq.fill(levels)(Long.MinValue))

  def of(bytes: Array[Byte]): PartitionMark = {
    val in = ByteBuffer.wrap(bytes)
    try {
      val version = in.get()
      if (version != Version)
        throw new Refusal(
          "STATE_VERSION_UNKNOWN",
          s"The state has format version $version; this Paddlewheel reads version $Version. " +
            "Use the version of Paddlewheel that wrote it, or a newer one."
        )
      val (fingerprint, watermark, rows) = (in.getLong(), in.getLong(), in.getLong())
      PartitionMark(fingerprint, watermark, rows, IndexedSeq.fill(in.get().toInt)(in.getLong()))
    } catch {
      case _: BufferUnderflowException =>
        throw new Refusal(
          "STATE_CORRUPT",
          s"The common row of a partition ends after ${bytes.length} bytes. Restart from an earlier batch."
        )
    }
  }
}
