package io.paddlewheel.wheel

import java.nio.file.{Files, Path}

import io.paddlewheel.column._

/** The rotation kept in `rotation-v1.bin`: every form a lane can have.
  *
  * Run `core/Test/runMain io.paddlewheel.wheel.StoredRotation <file>` once for a new format version, under a new name.
  * A file that was written never changes.
  */
object StoredRotation {
  private val topThree = new TopK(3)

  val schema: Schema = Schema(
    Column.Primitive("whole", Kind.Long, Merge.Sum),
    Column.Primitive("same", Kind.Short, Merge.Max),
    Column.Primitive("widest", Kind.Long, Merge.Min),
    Column.Primitive("nullable", Kind.Int, Merge.Min, nullable = true),
    Column.Primitive("all null", Kind.Boolean, Merge.And, nullable = true),
    Column.Primitive("doubles", Kind.Double, Merge.Max),
    Column.Primitive("nullable doubles", Kind.Double, Merge.Min, nullable = true),
    Column.Primitive("floats", Kind.Float, Merge.Max),
    Column.Primitive("whole doubles", Kind.Double, Merge.Sum),
    Column.Primitive("whole floats", Kind.Float, Merge.Sum, nullable = true),
    Column.Primitive("exact", Kind.Long, Merge.Sum, nullable = true, Overflow.Error),
    Column.Moments("moments"),
    Column.ExtremeCount("count of the greatest", Kind.Double, Extreme.Greatest),
    Column.Arg("latest", Kind.Byte, Kind.Long, Extreme.Greatest),
    Column.Combined("words", StringSets),
    Column.Combined("top", topThree)
  )

  val bitmap: Long =
    1L | 1L << 3 | 1L << 4 | 1L << 17 | 1L << 31 | 1L << 32 | 1L << 40 | 1L << 61 | 1L << 62 | 1L << 63

  /** Lane by lane, the ten values; null where there is none. */
  val lanes: Seq[Seq[Any]] = Seq(
    Seq[Any](-5L, 0L, 7L, 300L, 2L, 3L, 11L, -1L, 250L, 19L),
    Seq.fill[Any](10)(-321L),
    Seq[Any](Long.MinValue, Long.MaxValue, 0L, -1L, 1L, 2L, 3L, 4L, 5L, 6L),
    Seq[Any](null, 5L, -6L, null, null, Int.MaxValue.toLong, Int.MinValue.toLong, 0L, null, 8L),
    Seq.fill[Any](10)(null),
    Seq[Any](
      0.1,
      -0.0,
      0.0,
      Double.NaN,
      Double.PositiveInfinity,
      Double.NegativeInfinity,
      Double.MaxValue,
      Double.MinPositiveValue,
      -2.5,
      1e100
    ),
    Seq[Any](null, 0.25, null, null, -0.75, Double.NaN, null, 1.0, 2.0, null),
    Seq[Any](
      0.1f.toDouble,
      -0.0,
      0.0,
      Double.NaN,
      Double.PositiveInfinity,
      Float.MaxValue.toDouble,
      1.5,
      -1.5,
      Float.MinPositiveValue.toDouble,
      3.0
    ),
    Seq[Any](9007199254740992.0, -9007199254740992.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0),
    Seq[Any](100.0, null, 101.0, 102.0, null, 100.0, 100.0, 100.0, 100.0, 127.0),
    Seq[Any](Long.MaxValue, -1L, null, 0L, 1L, Long.MinValue, 5L, null, 7L, 8L),
    Seq[Any](0L, -1L, 0L, 0L, 3L, -2L, 0L, 0L, 0L, 0L),
    Seq[Any](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0),
    Seq[Any](0.5, -1.5, 2.25, 0.1, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0),
    Seq[Any](0.0, 0.5, 0.25, 0.1, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0),
    Seq[Any](4.0, 4.0, 5.0, 5.0, 4.0, 4.0, 3.0, 3.0, 1.0, 0.0),
    Seq[Any](1L, 2L, 1L, 3L, 1L, 1L, 1L, 1L, 1L, 0L),
    Seq[Any](null, -128L, 127L, 0L, null, 1L, 2L, 3L, 4L, 5L),
    Seq[Any](null, 1700000000000000L, 1700000000000001L, 1700000000000002L, 1700000000000003L, null,
      1700000000000005L, 1700000000000006L, 1700000000000007L, 1700000000000008L),
    Seq[Any](
      null,
      Set("a"),
      Set("a", "b"),
      Set(""),
      Set("ü", "wheel"),
      null,
      Set("x" * 200),
      Set("a"),
      Set("b"),
      null
    ),
    Seq[Any](
      Seq(3L, 2L, 1L),
      Seq(),
      null,
      Seq(Long.MaxValue),
      Seq(0L),
      Seq(-1L),
      Seq(1L, 1L),
      Seq(2L),
      null,
      Seq(5L)
    )
  )

  def cells: Cells = {
    val cells = Cells(schema, lanes.head.size)
    lanes.head.indices.foreach(schema.clear(cells, _))
    for (lane <- lanes.indices; at <- lanes(lane).indices) {
      if (lanes(lane)(at) != null) cells.setValid(lane, at, true)
      lanes(lane)(at) match {
        case null => ()
        case whole: Long => cells.longs(lane)(at) = whole
        case floating: Double => cells.doubles(lane)(at) = floating
        case words: Set[_] => cells.objects(lane)(at) = StringSets.of(words.map(_.toString))
        case top: Seq[_] => cells.objects(lane)(at) = topThree.of(top.map(_.asInstanceOf[Long]))
        case other => throw new IllegalArgumentException(s"$other")
      }
    }
    cells
  }

  /** The values of a lane, as [[lanes]] has them. */
  def read(cells: Cells, lane: Int): Seq[Any] = lanes.head.indices.map { at =>
    schema.lanes(lane).kind match {
      case _ if !cells.isValid(lane, at) => null
      case _: Kind.Whole => cells.longs(lane)(at)
      case _: Kind.Floating => cells.doubles(lane)(at)
      case Kind.Opaque if cells.objects(lane)(at) == null => null
      case Kind.Opaque if schema.lanes(lane).name == "words" => StringSets.strings(cells.objects(lane)(at))
      case Kind.Opaque => topThree.numbers(cells.objects(lane)(at))
    }
  }

  def main(arguments: Array[String]): Unit = {
    Files.write(Path.of(arguments(0)), PackedRotation.pack(bitmap, cells))
    ()
  }
}
