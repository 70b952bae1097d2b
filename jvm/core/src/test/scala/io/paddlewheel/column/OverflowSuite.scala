package io.paddlewheel.column

import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.Refusal

class OverflowSuite extends AnyFunSuite {
  private val widths = Scalars.wholeKinds.filter(_ != Kind.Boolean)

  private def wrapped(kind: Kind.Whole, values: Long*): Long = {
    val schema = Schema(Column.Primitive("it", kind, Merge.Sum))
    val cells = Cells(schema, values.size)
    values.indices.foreach(at => cells.longs(0)(at) = values(at))
    (1 until values.size).foreach(schema.merge(cells, 0, cells, _))
    cells.longs(0)(0)
  }

  private def exact(kind: Kind.Whole, nulls: Boolean = false): (Schema, ExactSum) = {
    val schema = Schema(Column.Primitive("it", kind, Merge.Sum, nulls, Overflow.Error))
    (schema, schema.kernels(0).asInstanceOf[ExactSum])
  }

  private def sum(kind: Kind.Whole, values: Long*): Long = {
    val (schema, kernel) = exact(kind)
    val cells = Cells(schema, values.size + 1)
    schema.clear(cells, values.size)
    values.indices.foreach(at => kernel.put(cells, at, values(at)))
    schema.fold(cells, values.size, cells, 0, values.size)
    kernel.get(cells, values.size)
  }

  private def refused(kind: Kind.Whole, values: Long*): Unit = {
    val refusal = intercept[Refusal](sum(kind, values: _*))
    assert(refusal.condition == "SUM_OVERFLOW" && refusal.getMessage.contains(s"fit in ${kind.name}"))
    assert(refusal.getMessage.contains("wider type"))
  }

  test("a wrapping sum wraps at its own width") {
    assert(wrapped(Kind.Byte, 127, 1) == -128 && wrapped(Kind.Byte, -128, -1) == 127)
    assert(wrapped(Kind.Short, 32767, 1) == -32768)
    assert(
      wrapped(Kind.Int, Int.MaxValue, 1) == Int.MinValue && wrapped(
        Kind.Int,
        Int.MinValue,
        -1
      ) == Int.MaxValue
    )
    assert(wrapped(Kind.Long, Long.MaxValue, 1) == Long.MinValue)
    widths.foreach(kind => assert(wrapped(kind, kind.max, 1, -1) == kind.max, kind))
    widths.foreach(kind => assert(wrapped(kind, kind.min, kind.min) == 0, kind))
  }

  test("an exact sum beyond its width is refused when it is read") {
    widths.foreach { kind =>
      assert(sum(kind, kind.max) == kind.max && sum(kind, kind.min) == kind.min)
      assert(sum(kind, kind.max - 1, 1) == kind.max && sum(kind, kind.min + 1, -1) == kind.min)
      refused(kind, kind.max, 1)
      refused(kind, kind.min, -1)
      refused(kind, kind.max, kind.max)
      refused(kind, kind.min, kind.min)
    }
    refused(Kind.Long, Long.MinValue, Long.MinValue, Long.MinValue, Long.MinValue)
  }

  test("an exact sum that went beyond its width and came back is fine") {
    widths.foreach { kind =>
      assert(sum(kind, kind.max, kind.max, kind.min, kind.min, 2) == 0, kind)
      assert(sum(kind, kind.min, kind.min, kind.max, kind.max) == -2, kind)
    }
  }

  test("taking out what went beyond brings an exact sum back") {
    val (schema, kernel) = exact(Kind.Long)
    val cells = Cells(schema, 3)
    kernel.put(cells, 0, -5L)
    kernel.put(cells, 1, Long.MinValue)
    schema.merge(cells, 0, cells, 1)
    assert(intercept[Refusal](kernel.get(cells, 0)).condition == "SUM_OVERFLOW")
    schema.subtract(cells, 0, cells, 1)
    assert(kernel.get(cells, 0) == -5L)
  }

  test("negative sums and their inverse") {
    for (overflow <- Seq(Overflow.Wrap, Overflow.Error)) {
      val schema = Schema(Column.Primitive("it", Kind.Long, Merge.Sum, overflow = overflow))
      val values = Vector(-3L, 5L, -9L, 0L, -1L)
      val cells = Cells(schema, values.size)
      val sum = Cells(schema, 1)
      schema.clear(sum, 0)
      values.indices.foreach { at =>
        schema.clear(cells, at)
        cells.longs(0)(at) = values(at)
        if (schema.lanes.length > 1) cells.longs(1)(at) = values(at) >> 63
        schema.merge(sum, 0, cells, at)
      }
      assert(sum.longs(0)(0) == -8)
      values.indices.foreach { at =>
        schema.subtract(sum, 0, cells, at)
        assert(sum.longs(0)(0) == values.drop(at + 1).sum)
      }
    }
  }

  test("a nullable sum is never subtracted: what is left might be null") {
    for (overflow <- Seq(Overflow.Wrap, Overflow.Error); nulls <- Seq(false, true)) {
      val schema = Schema(Column.Primitive("it", Kind.Long, Merge.Sum, nulls, overflow))
      assert(schema.invertible && schema.subtractable == !nulls)
    }
    assert(!Schema(Column.Primitive("it", Kind.Double, Merge.Sum)).invertible)
  }
}
