package io.paddlewheel.column

/** A lane of floating-point numbers, ordered as Spark SQL orders them: NaN is greater than everything and equals itself.
  * Of -0.0 and 0.0, which SQL holds equal, min keeps the first and max the second, whatever came first.
  */
private[column] abstract class FloatingKernel(val lane: Int, nullable: Boolean, neutral: Double)
    extends Kernel {

  final def clear(into: Cells, i: Int): Unit = {
    into.doubles(lane)(i) = neutral
    if (nullable) into.setValid(lane, i, false)
  }

  protected final def mergeValidity(into: Cells, i: Int, from: Cells, j: Int): Unit =
    if (nullable && from.isValid(lane, j)) into.setValid(lane, i, true)

  protected final def foldValidity(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit =
    if (nullable && from.anyValid(lane, begin, end)) into.setValid(lane, i, true)
}

/** Never subtracted: one infinity, or one large value, would stay in every later total. -0.0 is neutral, 0.0 is not. */
private[column] final class FloatingSum(lane: Int, kind: Kind, nullable: Boolean)
    extends FloatingKernel(lane, nullable, -0.0) {
  private val single = kind == Kind.Float
  def idempotent: Boolean = false

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    val values = into.doubles(lane)
    values(i) = round(values(i) + from.doubles(lane)(j))
    mergeValidity(into, i, from, j)
  }

  override def fold(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    val values = from.doubles(lane)
    var sum = into.doubles(lane)(i)
    var j = begin
    while (j < end) {
      sum += values(j)
      j += 1
    }
    into.doubles(lane)(i) = round(sum)
    foldValidity(into, i, from, begin, end)
  }

  private def round(sum: Double): Double = if (single) sum.toFloat.toDouble else sum
}

private[column] final class FloatingMin(lane: Int, nullable: Boolean)
    extends FloatingKernel(lane, nullable, Double.NaN) {
  def idempotent: Boolean = true

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    val values = into.doubles(lane)
    values(i) = lesser(values(i), from.doubles(lane)(j))
    mergeValidity(into, i, from, j)
  }

  override def fold(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    val values = from.doubles(lane)
    var least = into.doubles(lane)(i)
    var j = begin
    while (j < end) {
      least = lesser(least, values(j))
      j += 1
    }
    into.doubles(lane)(i) = least
    foldValidity(into, i, from, begin, end)
  }

  private def lesser(a: Double, b: Double): Double = if (a != a) b else if (b != b) a else math.min(a, b)
}

private[column] final class FloatingMax(lane: Int, nullable: Boolean)
    extends FloatingKernel(lane, nullable, Double.NegativeInfinity) {
  def idempotent: Boolean = true

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    val values = into.doubles(lane)
    values(i) = math.max(values(i), from.doubles(lane)(j))
    mergeValidity(into, i, from, j)
  }

  override def fold(into: Cells, i: Int, from: Cells, begin: Int, end: Int): Unit = {
    val values = from.doubles(lane)
    var greatest = into.doubles(lane)(i)
    var j = begin
    while (j < end) {
      greatest = math.max(greatest, values(j))
      j += 1
    }
    into.doubles(lane)(i) = greatest
    foldValidity(into, i, from, begin, end)
  }
}
