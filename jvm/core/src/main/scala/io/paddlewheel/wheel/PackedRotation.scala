package io.paddlewheel.wheel

import java.nio.{BufferUnderflowException, ByteBuffer, ByteOrder}
import java.util.zip.CRC32C

import io.paddlewheel.Refusal
import io.paddlewheel.column.{Bits, Cells, Kind, Schema}

/** The bytes of a rotation. This class alone knows them.
  *
  * {{{
  *   0        version, 1
  *   1        number of lanes, modulo 256
  *   2 .. 9   bitmap of the slots present, n of them
  *   then, for each lane
  *            tag, one byte; bit 7 is set when some of the n values are null
  *            if so: validity, one bit for each of the n values, in ceil(n / 8) bytes
  *            the m values that are not null, as the tag says:
  *              0 .. 64   whole numbers: the least, as a zigzag varint, and the distances from it in that many bits
  *              0x48      doubles, 8 bytes each
  *              0x49      floats, 4 bytes each
  *              0x4A      floating-point values that are all whole: a further tag of 0 .. 64, and as there
  *              0x50      opaque values: a varint of length + 1 (0 is a null reference) and the bytes, each
  *   last 4   CRC32C of all bytes before
  * }}}
  *
  * Numbers are little-endian. Equal slots give equal bytes: NaNs are made one, nulls leave no trace of a value. Only
  * the form of a lane is written, not its kind: a reader that takes an int for a long is not found out here.
  */
object PackedRotation {
  private val Version: Byte = 1
  private val HasNulls = 0x80
  private val RawDouble = 0x48
  private val RawFloat = 0x49
  private val WholeFloating = 0x4a
  private val Opaque = 0x50
  private val HeaderBytes = 10
  private val ChecksumBytes = 4

  /** The slots of one rotation, plain, in order. */
  final case class Slots(bitmap: Long, cells: Cells)

  def pack(bitmap: Long, cells: Cells): Array[Byte] = {
    val schema = cells.schema
    val count = java.lang.Long.bitCount(bitmap)
    val out = new Bytes
    out.byte(Version.toInt)
    out.byte(schema.lanes.length)
    out.long(bitmap)
    var lane = 0
    while (lane < schema.lanes.length) {
      packLane(out, cells, lane, count)
      lane += 1
    }
    out.int(checksum(out.array, out.length))
    out.toArray
  }

  /** The inverse of [[pack]], or a [[Refusal]]: bytes that are damaged, or of lanes in other forms, give no value. */
  def unpack(schema: Schema, bytes: Array[Byte]): Slots = {
    if (bytes.length < HeaderBytes + ChecksumBytes) throw truncated(bytes.length)
    if (bytes(0) != Version)
      throw new Refusal(
        "ROTATION_VERSION_UNKNOWN",
        s"A packed rotation has format version ${bytes(0)}; this engine reads version $Version. " +
          "Read it with the version of Paddlewheel that wrote it, or newer."
      )
    val in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
    val body = bytes.length - ChecksumBytes
    if (in.getInt(body) != checksum(bytes, body))
      throw new Refusal(
        "ROTATION_CORRUPT",
        s"The checksum of a packed rotation of ${bytes.length} bytes does not match: it is truncated or damaged. " +
          "Restore the state from an earlier snapshot."
      )
    in.limit(body).position(1)
    if ((in.get() & 0xff) != (schema.lanes.length & 0xff)) throw mismatch("another number of columns")
    val bitmap = in.getLong()
    val count = java.lang.Long.bitCount(bitmap)
    val cells = Cells(schema, count)
    try unpackLanes(in, cells, count)
    catch { case _: BufferUnderflowException => throw truncated(bytes.length) }
    if (in.hasRemaining) throw mismatch(s"${in.remaining} bytes more than its columns need")
    Slots(bitmap, cells)
  }

  private def unpackLanes(in: ByteBuffer, cells: Cells, count: Int): Unit = {
    var at = 0
    while (at < count) {
      cells.schema.clear(cells, at)
      at += 1
    }
    var lane = 0
    while (lane < cells.schema.lanes.length) {
      unpackLane(in, cells, lane, count)
      lane += 1
    }
  }

  private def packLane(out: Bytes, cells: Cells, lane: Int, count: Int): Unit = {
    val valid = validity(cells, lane, count)
    cells.schema.lanes(lane).kind match {
      case _: Kind.Whole =>
        val values = wholes(cells.longs(lane), valid)
        val bits = width(values)
        packTag(out, bits, valid, count)
        packWhole(out, values, bits)
      case kind @ (_: Kind.Floating) =>
        val values = cells.doubles(lane)
        if (allWhole(values, valid)) {
          packTag(out, WholeFloating, valid, count)
          val whole = wholes(values, valid)
          val bits = width(whole)
          out.byte(bits)
          packWhole(out, whole, bits)
        } else if (kind == Kind.Float) {
          packTag(out, RawFloat, valid, count)
          var rest = valid
          while (rest != 0) {
            out.int(java.lang.Float.floatToIntBits(values(first(rest)).toFloat))
            rest &= rest - 1
          }
        } else {
          packTag(out, RawDouble, valid, count)
          var rest = valid
          while (rest != 0) {
            out.long(java.lang.Double.doubleToLongBits(values(first(rest))))
            rest &= rest - 1
          }
        }
      case Kind.Opaque =>
        packTag(out, Opaque, valid, count)
        packObjects(out, cells, lane, valid)
    }
  }

  private def unpackLane(in: ByteBuffer, cells: Cells, lane: Int, count: Int): Unit = {
    val tag = in.get() & 0xff
    val valid = unpackValidity(in, tag, cells, lane, count)
    (cells.schema.lanes(lane).kind, tag & ~HasNulls) match {
      case (_: Kind.Whole, bits) if bits <= 64 =>
        val values = unpackWhole(in, bits, java.lang.Long.bitCount(valid))
        spread(values, valid, cells.longs(lane))
      case (_: Kind.Floating, WholeFloating) =>
        val values = unpackWhole(in, in.get() & 0xff, java.lang.Long.bitCount(valid))
        spread(values, valid, cells.doubles(lane))
      case (Kind.Float, RawFloat) =>
        var rest = valid
        while (rest != 0) {
          cells.doubles(lane)(first(rest)) = in.getFloat().toDouble
          rest &= rest - 1
        }
      case (Kind.Double, RawDouble) =>
        var rest = valid
        while (rest != 0) {
          cells.doubles(lane)(first(rest)) = in.getDouble()
          rest &= rest - 1
        }
      case (Kind.Opaque, Opaque) => unpackObjects(in, cells, lane, valid)
      case (kind, form) =>
        throw mismatch(s"form $form where column '${cells.schema.lanes(lane).name}' is ${kind.name}")
    }
  }

  private def packTag(out: Bytes, form: Int, valid: Long, count: Int): Unit =
    if (valid == Bits.lowest(count)) out.byte(form)
    else {
      out.byte(form | HasNulls)
      var begin = 0
      while (begin < count) {
        out.byte((valid >>> begin).toInt)
        begin += 8
      }
    }

  private def unpackValidity(in: ByteBuffer, tag: Int, cells: Cells, lane: Int, count: Int): Long = {
    val described = cells.schema.lanes(lane)
    val hasNulls = (tag & HasNulls) != 0
    if (hasNulls && !described.nullable) throw mismatch(s"nulls where column '${described.name}' has none")
    var valid = if (hasNulls) 0L else Bits.lowest(count)
    var begin = 0
    while (hasNulls && begin < count) {
      valid |= (in.get() & 0xffL) << begin
      begin += 8
    }
    if ((valid & ~Bits.lowest(count)) != 0) throw mismatch(s"validity of more than its $count slots")
    var rest = valid
    while (rest != 0) {
      cells.setValid(lane, first(rest), true)
      rest &= rest - 1
    }
    valid
  }

  private def packObjects(out: Bytes, cells: Cells, lane: Int, valid: Long): Unit = {
    val combiner = cells.schema.combiner(lane)
    var rest = valid
    while (rest != 0) {
      val value = cells.objects(lane)(first(rest))
      if (value == null) out.varint(0)
      else {
        val bytes = combiner.toBytes(value)
        out.varint(bytes.length + 1L)
        out.bytes(bytes)
      }
      rest &= rest - 1
    }
  }

  private def unpackObjects(in: ByteBuffer, cells: Cells, lane: Int, valid: Long): Unit = {
    val combiner = cells.schema.combiner(lane)
    var rest = valid
    while (rest != 0) {
      val length = varint(in)
      if (length != 0) {
        if (length < 0 || length - 1 > in.remaining) throw new BufferUnderflowException
        val bytes = new Array[Byte]((length - 1).toInt)
        in.get(bytes)
        cells.objects(lane)(first(rest)) = combiner.fromBytes(bytes)
      }
      rest &= rest - 1
    }
  }

  // The loops below run for every value of every rotation stored, so they are plain. A set of positions is a long,
  // and `rest &= rest - 1` takes the first one out of it.

  private def first(positions: Long): Int = java.lang.Long.numberOfTrailingZeros(positions)

  private def validity(cells: Cells, lane: Int, count: Int): Long = {
    if (!cells.schema.lanes(lane).nullable) return Bits.lowest(count)
    var valid = 0L
    var at = 0
    while (at < count) {
      if (cells.isValid(lane, at)) valid |= 1L << at
      at += 1
    }
    valid
  }

  private def wholes(values: Array[Long], positions: Long): Array[Long] = {
    val chosen = new Array[Long](java.lang.Long.bitCount(positions))
    var rest = positions
    var k = 0
    while (rest != 0) {
      chosen(k) = values(first(rest))
      rest &= rest - 1
      k += 1
    }
    chosen
  }

  private def wholes(values: Array[Double], positions: Long): Array[Long] = {
    val chosen = new Array[Long](java.lang.Long.bitCount(positions))
    var rest = positions
    var k = 0
    while (rest != 0) {
      chosen(k) = values(first(rest)).toLong
      rest &= rest - 1
      k += 1
    }
    chosen
  }

  private def spread(values: Array[Long], positions: Long, to: Array[Long]): Unit = {
    var rest = positions
    var k = 0
    while (rest != 0) {
      to(first(rest)) = values(k)
      rest &= rest - 1
      k += 1
    }
  }

  private def spread(values: Array[Long], positions: Long, to: Array[Double]): Unit = {
    var rest = positions
    var k = 0
    while (rest != 0) {
      to(first(rest)) = values(k).toDouble
      rest &= rest - 1
      k += 1
    }
  }

  private def allWhole(values: Array[Double], positions: Long): Boolean = {
    var rest = positions
    while (rest != 0) {
      if (!isWhole(values(first(rest)))) return false
      rest &= rest - 1
    }
    true
  }

  private def least(values: Array[Long]): Long = {
    var least = Long.MaxValue
    var k = 0
    while (k < values.length) {
      least = math.min(least, values(k))
      k += 1
    }
    least
  }

  /** Bits for the distance of any value from the least; a distance is taken modulo 2^64, so 64 always suffice. */
  private def width(values: Array[Long]): Int = {
    val from = least(values)
    var distances = 0L
    var k = 0
    while (k < values.length) {
      distances |= values(k) - from
      k += 1
    }
    64 - java.lang.Long.numberOfLeadingZeros(distances)
  }

  private def packWhole(out: Bytes, values: Array[Long], bits: Int): Unit = if (values.length > 0) {
    val from = least(values)
    out.varint(from << 1 ^ from >> 63)
    val words = new Array[Long](Bits.words(values.length * bits))
    var k = 0
    while (k < values.length) {
      Bits.write(words, k * bits, bits, values(k) - from)
      k += 1
    }
    out.words(words, (values.length * bits + 7) / 8)
  }

  private def unpackWhole(in: ByteBuffer, bits: Int, count: Int): Array[Long] = {
    if (bits > 64) throw mismatch(s"whole numbers of $bits bits")
    val values = new Array[Long](count)
    if (count > 0) {
      val zigzag = varint(in)
      val from = zigzag >>> 1 ^ -(zigzag & 1)
      val words = unpackWords(in, count * bits)
      var k = 0
      while (k < count) {
        values(k) = from + Bits.read(words, k * bits, bits)
        k += 1
      }
    }
    values
  }

  private def unpackWords(in: ByteBuffer, bits: Int): Array[Long] = {
    val words = new Array[Long](Bits.words(bits))
    val whole = bits >> 6
    var w = 0
    while (w < whole) {
      words(w) = in.getLong()
      w += 1
    }
    var b = whole << 3
    while (b < (bits + 7) / 8) {
      words(whole) |= (in.get() & 0xffL) << (b << 3)
      b += 1
    }
    words
  }

  private def isWhole(value: Double): Boolean =
    value == value.toLong && math.abs(value) <= (1L << 53) && java.lang.Double.doubleToRawLongBits(
      value
    ) != Long.MinValue

  private def varint(in: ByteBuffer): Long = {
    var value = 0L
    var shift = 0
    var more = true
    while (more) {
      val byte = in.get()
      value |= (byte & 0x7fL) << shift
      shift += 7
      more = byte < 0 && shift < 70
    }
    value
  }

  private def checksum(bytes: Array[Byte], length: Int): Int = {
    val crc = new CRC32C
    crc.update(bytes, 0, length)
    crc.getValue.toInt
  }

  private def truncated(length: Int): Refusal =
    new Refusal(
      "ROTATION_TRUNCATED",
      s"A packed rotation ends after $length bytes, before its columns do. Restore the state from an earlier snapshot."
    )

  private def mismatch(found: String): Refusal =
    new Refusal(
      "ROTATION_SCHEMA_MISMATCH",
      s"A packed rotation has $found. It was written for other columns; read it with the spec it was written with."
    )
}
