package io.paddlewheel.wheel

import java.util.zip.CRC32C

import org.scalacheck.{Gen, Prop}
import org.scalacheck.Prop.{forAllNoShrink, propBoolean}
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.{Checks, Refusal}
import io.paddlewheel.column._

class PackedRotationSuite extends AnyFunSuite with Checks {

  /** A rotation to pack. */
  private final class Rotation(val rows: Rows, val bitmap: Long, val values: Vector[Vector[Any]]) {
    def cells: Cells = rows.cells(values)
    lazy val bytes: Array[Byte] = PackedRotation.pack(bitmap, cells)
    override def toString: String = s"$rows\n${bitmap.toHexString}\n${values.mkString("\n")}"
  }

  private val bitmaps: Gen[Long] = Gen.frequency(
    1 -> Gen.oneOf(0L, 1L, Long.MinValue, -1L, Long.MaxValue),
    3 -> Gen.long,
    3 -> Gen.zip(Gen.long, Gen.long, Gen.long).map { case (a, b, c) => a & b & c }
  )
  private val schemas: Gen[Rows] =
    Gen.choose(1, 6).flatMap(n => Gen.listOfN(n, Gen.oneOf(Subjects.all))).map(all => new Rows(all.toVector))

  private val rotations: Gen[Rotation] = for {
    rows <- schemas
    bitmap <- bitmaps
    values <- Gen.containerOfN[Vector, Vector[Any]](java.lang.Long.bitCount(bitmap), rows.rows)
  } yield new Rotation(rows, bitmap, values)

  private val conditions =
    Set("ROTATION_TRUNCATED", "ROTATION_CORRUPT", "ROTATION_VERSION_UNKNOWN", "ROTATION_SCHEMA_MISMATCH")

  /** The condition bytes are refused with; a description of what happened instead. */
  private def refusal(schema: Schema, bytes: Array[Byte]): String =
    try {
      PackedRotation.unpack(schema, bytes)
      "a value"
    } catch {
      case refused: Refusal => refused.condition
      case other: Exception => other.toString
    }

  private def refused(schema: Schema, bytes: Array[Byte]): Boolean = conditions(refusal(schema, bytes))

  private def sealedAgain(bytes: Array[Byte]): Array[Byte] = {
    val crc = new CRC32C
    crc.update(bytes, 0, bytes.length - 4)
    (0 until 4).foreach(k => bytes(bytes.length - 4 + k) = (crc.getValue >>> 8 * k).toByte)
    bytes
  }

  check("what was packed comes back, and packs to the same bytes")(forAllNoShrink(rotations) { rotation =>
    val slots = PackedRotation.unpack(rotation.rows.schema, rotation.bytes)
    val values = rotation.values.indices.map(rotation.rows.read(slots.cells, _))
    (slots.bitmap == rotation.bitmap) :| "bitmap" &&
    values.lazyZip(rotation.values).forall(rotation.rows.identical) :| s"values $values" &&
    PackedRotation.pack(slots.bitmap, slots.cells).sameElements(rotation.bytes) :| "bytes"
  })

  check("what comes back merges as before", cases = 300)(forAllNoShrink(rotations) { rotation =>
    val rows = rotation.rows
    val slots = PackedRotation.unpack(rows.schema, rotation.bytes)
    val total = Cells(rows.schema, 1)
    rows.schema.clear(total, 0)
    rows.schema.fold(total, 0, slots.cells, 0, rotation.values.size)
    rotation.values.isEmpty || rows.same(rows.read(total, 0), rows.total(rotation.values))
  })

  check("room not in use leaves no trace", cases = 300)(forAllNoShrink(rotations) { rotation =>
    val cells = rotation.cells
    cells.resize(64)
    rotation.values.headOption.foreach { noise =>
      (rotation.values.size until 64).foreach(rotation.rows.write(cells, _, noise))
    }
    PackedRotation.pack(rotation.bitmap, cells).sameElements(rotation.bytes)
  })

  test("equal slots give equal bytes: NaNs are one, nulls hide nothing") {
    for (kind <- Scalars.floatingKinds) {
      val schema = Schema(Column.Primitive("it", kind, Merge.Min, nullable = true))
      def packed(nan: Double, behindNull: Double): Array[Byte] = {
        val cells = Cells(schema, 2)
        cells.doubles(0)(0) = nan
        cells.setValid(0, 0, true)
        cells.doubles(0)(1) = behindNull
        PackedRotation.pack(5L, cells)
      }
      val otherNaN = java.lang.Double.longBitsToDouble(0xfff8123400000000L)
      assert(otherNaN.isNaN && packed(Double.NaN, 0.0).sameElements(packed(otherNaN, 17.5)))
    }
    val schema = Schema(Column.Primitive("it", Kind.Long, Merge.Sum, nullable = true))
    def packed(behindNull: Long): Array[Byte] = {
      val cells = Cells(schema, 1)
      cells.longs(0)(0) = behindNull
      PackedRotation.pack(1L, cells)
    }
    assert(packed(0L).sameElements(packed(99L)))
    val read = PackedRotation.unpack(schema, packed(99L)).cells
    assert(!read.isValid(0, 0) && read.longs(0)(0) == 0L, "a null comes back neutral")
  }

  test("a rotation of small counts is small") {
    val schema = Schema(Column.Primitive("it", Kind.Long, Merge.Sum))
    val cells = Cells(schema, 60)
    (0 until 60).foreach(at => cells.longs(0)(at) = 1000L + at % 8)
    // header, tag, least, 60 values of 3 bits, checksum
    assert(PackedRotation.pack((1L << 60) - 1, cells).length == 10 + 1 + 2 + 23 + 4)
  }

  check("cut anywhere, it is refused", cases = 200)(forAllNoShrink(rotations) { rotation =>
    Prop.all(rotation.bytes.indices.map { length =>
      val found = refusal(rotation.rows.schema, rotation.bytes.take(length))
      val expected =
        if (length < 14) Set("ROTATION_TRUNCATED") else Set("ROTATION_TRUNCATED", "ROTATION_CORRUPT")
      expected(found) :| s"$found at $length of ${rotation.bytes.length}"
    }: _*)
  })

  check("with bytes added, it is refused", cases = 200)(
    forAllNoShrink(rotations, Gen.nonEmptyListOf(Gen.choose(Byte.MinValue, Byte.MaxValue))) {
      (rotation, more) =>
        refused(rotation.rows.schema, rotation.bytes ++ more)
    }
  )

  check("with any bit flipped, it is refused", cases = 100)(forAllNoShrink(rotations) { rotation =>
    val bytes = rotation.bytes.clone
    Prop.all((0 until bytes.length * 8).map { bit =>
      bytes(bit >> 3) = (bytes(bit >> 3) ^ 1 << (bit & 7)).toByte
      val found = refusal(rotation.rows.schema, bytes)
      bytes(bit >> 3) = rotation.bytes(bit >> 3)
      val expected = if (bit < 8) "ROTATION_VERSION_UNKNOWN" else "ROTATION_CORRUPT"
      (found == expected) :| s"$found for bit $bit"
    }: _*)
  })

  test("with any byte of the stored rotation changed to any other, it is refused") {
    val stored = storedBytes
    val bytes = stored.clone
    for (at <- bytes.indices; change <- 1 to 255) {
      bytes(at) = (stored(at) ^ change).toByte
      val found = refusal(StoredRotation.schema, bytes)
      assert(conditions(found), s"for byte $at changed by $change")
      bytes(at) = stored(at)
    }
  }

  check("damage under a checksum that fits never escapes as another exception", cases = 200)(
    forAllNoShrink(rotations, Gen.long) { (rotation, seed) =>
      val random = new scala.util.Random(seed)
      Prop.all((0 until 50).map { _ =>
        val bytes = rotation.bytes.clone
        val at = 1 + random.nextInt(bytes.length - 5)
        bytes(at) = random.nextInt(256).toByte
        val cut = if (random.nextBoolean()) bytes else bytes.take(14 + random.nextInt(bytes.length - 13))
        val found = refusal(rotation.rows.schema, sealedAgain(cut))
        (found == "a value" || conditions(found)) :| s"$found after a change at $at"
      }: _*)
    }
  )

  test("no bytes at all are refused") {
    assert(refusal(StoredRotation.schema, Array.emptyByteArray) == "ROTATION_TRUNCATED")
  }

  test("a later version is refused by name") {
    val bytes = storedBytes
    bytes(0) = 2
    val found = intercept[Refusal](PackedRotation.unpack(StoredRotation.schema, sealedAgain(bytes)))
    assert(found.condition == "ROTATION_VERSION_UNKNOWN" && found.getMessage.contains("format version 2"))
  }

  private def primitive(kind: Kind, merge: Merge, nulls: Boolean = false): Column =
    Column.Primitive("it", kind, merge, nulls)

  test("other columns are refused") {
    val forms = Seq(
      Schema(primitive(Kind.Long, Merge.Sum)),
      Schema(primitive(Kind.Double, Merge.Sum)),
      Schema(Column.Combined("it", StringSets)),
      Schema(primitive(Kind.Long, Merge.Sum), Column.Combined("other", StringSets)),
      Schema(Column.Combined("it", StringSets), Column.Primitive("other", Kind.Long, Merge.Sum)),
      Schema(Column.Moments("it")),
      Schema(Column.ExtremeCount("it", Kind.Long, Extreme.Greatest))
    )
    for (written <- forms; read <- forms if read ne written; slots <- Seq(0, 1, 5)) {
      val cells = Cells(written, slots)
      (0 until slots).foreach(written.clear(cells, _))
      val bytes = PackedRotation.pack(Bits.lowest(slots), cells)
      val found = refusal(read, bytes)
      assert(found == "ROTATION_SCHEMA_MISMATCH", s"${written.columns} read as ${read.columns}, $slots slots")
    }
  }

  test("fractions of one width are not read as the other") {
    for ((written, read) <- Seq(Kind.Float -> Kind.Double, Kind.Double -> Kind.Float)) {
      val schema = Schema(primitive(written, Merge.Max))
      val cells = Cells(schema, 1)
      cells.doubles(0)(0) = 0.5
      val bytes = PackedRotation.pack(1L, cells)
      assert(refusal(Schema(primitive(read, Merge.Max)), bytes) == "ROTATION_SCHEMA_MISMATCH")
    }
  }

  test("a null is not read into a column that has none") {
    for (kind <- Seq(Kind.Long, Kind.Double)) {
      val schema = Schema(primitive(kind, Merge.Max, nulls = true))
      val cells = Cells(schema, 1)
      schema.clear(cells, 0)
      val bytes = PackedRotation.pack(1L, cells)
      assert(refusal(Schema(primitive(kind, Merge.Max)), bytes) == "ROTATION_SCHEMA_MISMATCH")
    }
  }

  private def storedBytes: Array[Byte] = {
    val stream = getClass.getResourceAsStream("/rotation-v1.bin")
    try stream.readAllBytes()
    finally stream.close()
  }

  test("the stored rotation of version 1 reads as it was written") {
    val slots = PackedRotation.unpack(StoredRotation.schema, storedBytes)
    assert(slots.bitmap == StoredRotation.bitmap)
    StoredRotation.lanes.indices.foreach { lane =>
      val found = StoredRotation.read(slots.cells, lane)
      assert(found.map(bits) == StoredRotation.lanes(lane).map(bits), StoredRotation.schema.lanes(lane).name)
    }
  }

  test("the stored rotation of version 1 has every form a lane can have") {
    val slots = PackedRotation.unpack(StoredRotation.schema, storedBytes)
    val kinds = StoredRotation.schema.lanes.map(_.kind).toSet
    assert(
      kinds == Set(
        Kind.Boolean,
        Kind.Byte,
        Kind.Short,
        Kind.Int,
        Kind.Long,
        Kind.Float,
        Kind.Double,
        Kind.Opaque
      )
    )
    assert(slots.cells.schema.lanes.length == StoredRotation.lanes.size)
  }

  test("packing the stored rotation today gives the bytes of version 1") {
    assert(PackedRotation.pack(StoredRotation.bitmap, StoredRotation.cells).toSeq == storedBytes.toSeq)
  }

  /** Tells -0.0 from 0.0, and takes NaN for itself. */
  private def bits(value: Any): Any = value match {
    case double: Double => java.lang.Double.doubleToLongBits(double)
    case other => other
  }
}
