package io.paddlewheel.wheel

import java.nio.{ByteBuffer, ByteOrder}

/** A growing array of bytes. */
private[wheel] final class Bytes {
  private var buffer = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN)

  def array: Array[Byte] = buffer.array
  def length: Int = buffer.position()
  def toArray: Array[Byte] = java.util.Arrays.copyOf(buffer.array, length)

  def byte(value: Int): Unit = room(1).put(value.toByte)
  def int(value: Int): Unit = room(4).putInt(value)
  def long(value: Long): Unit = room(8).putLong(value)
  def bytes(values: Array[Byte]): Unit = room(values.length).put(values)

  def varint(value: Long): Unit = {
    var rest = value
    while ((rest & ~0x7fL) != 0) {
      byte((rest & 0x7f | 0x80).toInt)
      rest >>>= 7
    }
    byte(rest.toInt)
  }

  /** The first `bytes` bytes of `words`. */
  def words(words: Array[Long], bytes: Int): Unit = {
    room(bytes)
    var b = 0
    while (b + 8 <= bytes) {
      buffer.putLong(words(b >> 3))
      b += 8
    }
    while (b < bytes) {
      buffer.put((words(b >> 3) >>> (b << 3)).toByte)
      b += 1
    }
  }

  private def room(needed: Int): ByteBuffer = {
    if (buffer.remaining < needed) {
      val larger =
        ByteBuffer.allocate(math.max(buffer.capacity * 2, length + needed)).order(ByteOrder.LITTLE_ENDIAN)
      larger.put(buffer.array, 0, length)
      buffer = larger
    }
    buffer
  }
}
