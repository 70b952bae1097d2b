package io.paddlewheel.wheel

import java.nio.{ByteBuffer, ByteOrder}
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
  * Numbers are little-endian. Equal slots give equal bytes: NaNs are made one, nulls leave no trace of a value.
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
    schema.lanes.indices.foreach(lane => packLane(out, cells, lane, count))
    out.int(checksum(out.array, out.length))
    out.toArray
  }

  /** The inverse of [[pack]], or a [[Refusal]]: bytes that are not exactly what was packed never give a value. */
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
    (0 until count).foreach(schema.clear(cells, _))
    try schema.lanes.indices.foreach(lane => unpackLane(in, cells, lane, count))
    catch { case _: java.nio.BufferUnderflowException => throw truncated(bytes.length) }
    if (in.hasRemaining) throw mismatch(s"${in.remaining} bytes more than its columns need")
    Slots(bitmap, cells)
  }

  private def packLane(out: Bytes, cells: Cells, lane: Int, count: Int): Unit = {
    val valid = (0 until count).filter(cells.isValid(lane, _)).toArray
    val nulls = if (valid.length < count) HasNulls else 0

    def tag(form: Int): Unit = {
      out.byte(form | nulls)
      if (nulls != 0) (0 until count by 8).foreach { begin =>
        val bits =
          (0 until math.min(8, count - begin)).map(k => if (cells.isValid(lane, begin + k)) 1 << k else 0)
        out.byte(bits.sum)
      }
    }

    cells.schema.lanes(lane).kind match {
      case _: Kind.Whole =>
        val values = valid.map(cells.longs(lane)(_))
        tag(width(values))
        packWhole(out, values)
      case kind @ (_: Kind.Floating) =>
        val values = valid.map(cells.doubles(lane)(_))
        if (values.forall(isWhole)) {
          tag(WholeFloating)
          val whole = values.map(_.toLong)
          out.byte(width(whole))
          packWhole(out, whole)
        } else if (kind == Kind.Float) {
          tag(RawFloat)
          values.foreach(v => out.int(java.lang.Float.floatToIntBits(v.toFloat)))
        } else {
          tag(RawDouble)
          values.foreach(v => out.long(java.lang.Double.doubleToLongBits(v)))
        }
      case Kind.Opaque =>
        tag(Opaque)
        val combiner = cells.schema.combiner(lane)
        valid.foreach { p =>
          val value = cells.objects(lane)(p)
          if (value == null) out.varint(0)
          else {
            val bytes = combiner.toBytes(value)
            out.varint(bytes.length + 1L)
            out.bytes(bytes)
          }
        }
    }
  }

  private def unpackLane(in: ByteBuffer, cells: Cells, lane: Int, count: Int): Unit = {
    val tag = in.get() & 0xff
    val validity = new Array[Long](1)
    if ((tag & HasNulls) == 0) validity(0) = Bits.lowest(count)
    else (0 until count by 8).foreach(begin => validity(0) |= (in.get() & 0xffL) << begin)
    val valid = (0 until count).filter(p => (validity(0) >>> p & 1L) != 0)
    valid.foreach(cells.setValid(lane, _, true))

    (cells.schema.lanes(lane).kind, tag & ~HasNulls) match {
      case (_: Kind.Whole, width) if width <= 64 =>
        unpackWhole(in, width, valid)(cells.longs(lane)(_) = _)
      case (_: Kind.Floating, WholeFloating) =>
        unpackWhole(in, in.get() & 0xff, valid)((p, v) => cells.doubles(lane)(p) = v.toDouble)
      case (Kind.Float, RawFloat) => valid.foreach(p => cells.doubles(lane)(p) = in.getFloat().toDouble)
      case (Kind.Double, RawDouble) => valid.foreach(p => cells.doubles(lane)(p) = in.getDouble())
      case (Kind.Opaque, Opaque) =>
        val combiner = cells.schema.combiner(lane)
        valid.foreach { p =>
          val length = varint(in)
          if (length > 0) {
            if (length - 1 > in.remaining) throw new java.nio.BufferUnderflowException
            val bytes = new Array[Byte]((length - 1).toInt)
            in.get(bytes)
            cells.objects(lane)(p) = combiner.fromBytes(bytes)
          }
        }
      case (kind, form) =>
        throw mismatch(s"form $form where column '${cells.schema.lanes(lane).name}' is ${kind.name}")
    }
  }

  /** Bits for the distance of any value from the least; a distance is taken modulo 2^64, so 64 always suffice. */
  private def width(values: Array[Long]): Int =
    if (values.isEmpty) 0 else 64 - java.lang.Long.numberOfLeadingZeros(values.max - values.min)

  private def packWhole(out: Bytes, values: Array[Long]): Unit = if (values.nonEmpty) {
    val bits = width(values)
    val least = values.min
    out.varint(least << 1 ^ least >> 63)
    val words = new Array[Long](Bits.words(values.length * bits))
    values.indices.foreach(k => Bits.write(words, k * bits, bits, values(k) - least))
    val bytes = (values.length * bits + 7) / 8
    (0 until bytes).foreach(b => out.byte((words(b >> 3) >>> (b << 3)).toInt))
  }

  private def unpackWhole(in: ByteBuffer, bits: Int, places: Seq[Int])(put: (Int, Long) => Unit): Unit =
    if (places.nonEmpty) {
      if (bits > 64) throw mismatch(s"whole numbers of $bits bits")
      val zigzag = varint(in)
      val least = zigzag >>> 1 ^ -(zigzag & 1)
      val words = new Array[Long](Bits.words(places.length * bits))
      (0 until (places.length * bits + 7) / 8).foreach(b => words(b >> 3) |= (in.get() & 0xffL) << (b << 3))
      places.indices.foreach(k => put(places(k), least + Bits.read(words, k * bits, bits)))
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

  /** A growing array of bytes. */
  private final class Bytes {
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
}
