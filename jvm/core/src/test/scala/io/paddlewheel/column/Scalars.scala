package io.paddlewheel.column

import org.scalacheck.Gen

/** The plain values of a kind: random ones, where they lie in cells, and how SQL orders them. */
sealed trait Scalars[A] {
  def kind: Kind
  def values: Gen[A]
  def put(cells: Cells, lane: Int, at: Int, value: A): Unit
  def get(cells: Cells, lane: Int, at: Int): A
  def order: Ordering[A]

  /** The same to the last bit, all NaNs being one. */
  def identical(a: A, b: A): Boolean
}

object Scalars {
  val wholeKinds: Seq[Kind.Whole] = Seq(Kind.Boolean, Kind.Byte, Kind.Short, Kind.Int, Kind.Long)
  val floatingKinds: Seq[Kind.Floating] = Seq(Kind.Float, Kind.Double)

  def all: Seq[Scalars[_]] = wholeKinds.map(Wholes) ++ floatingKinds.map(Floatings)

  final case class Wholes(kind: Kind.Whole) extends Scalars[Long] {
    private val few = (-2L to 2L).filter(kind.holds)

    val values: Gen[Long] = Gen.frequency(
      3 -> Gen.oneOf(few),
      2 -> Gen.choose(kind.min, kind.max),
      1 -> Gen.oneOf(kind.min, kind.max),
      1 -> Gen.oneOf(kind.min + 1, kind.max - 1)
    )
    def put(cells: Cells, lane: Int, at: Int, value: Long): Unit = cells.longs(lane)(at) = value
    def get(cells: Cells, lane: Int, at: Int): Long = cells.longs(lane)(at)
    def order: Ordering[Long] = Ordering.Long
    def identical(a: Long, b: Long): Boolean = a == b

    /** The low bits of a sum, as Java's own types keep them. */
    def low(sum: BigInt): Long = kind match {
      case Kind.Byte => sum.toByte.toLong
      case Kind.Short => sum.toShort.toLong
      case Kind.Int => sum.toInt.toLong
      case _ => sum.toLong
    }
  }

  final case class Floatings(kind: Kind.Floating) extends Scalars[Double] {
    private val single = kind == Kind.Float
    private val least = if (single) Float.MinPositiveValue.toDouble else Double.MinPositiveValue
    private val most = if (single) Float.MaxValue.toDouble else Double.MaxValue

    private val few = Gen.oneOf(-0.0, 0.0, 1.0, -1.0, 2.5)
    private val endless = Gen.oneOf(Double.NaN, Double.PositiveInfinity, Double.NegativeInfinity)
    private val wide =
      if (single) Gen.choose(-1e30f, 1e30f).map(_.toDouble)
      else Gen.choose(-1e300, 1e300)

    val values: Gen[Double] =
      Gen.frequency(3 -> few, 1 -> endless, 2 -> wide, 1 -> Gen.oneOf(least, -least, most, -most))

    /** Values whose sums do not overflow in any order; those of floats are even exact. */
    val summable: Gen[Double] = Gen.frequency(
      1 -> few,
      8 -> (if (single) Gen.choose(-8000, 8000).map(_ / 8.0) else Gen.choose(-1e6, 1e6))
    )
    val summableOrEndless: Gen[Double] = Gen.frequency(30 -> summable, 1 -> endless)

    def put(cells: Cells, lane: Int, at: Int, value: Double): Unit = cells.doubles(lane)(at) = value
    def get(cells: Cells, lane: Int, at: Int): Double = cells.doubles(lane)(at)
    def order: Ordering[Double] = SqlOrder
    def identical(a: Double, b: Double): Boolean =
      java.lang.Double.doubleToLongBits(a) == java.lang.Double.doubleToLongBits(b)
  }

  /** Spark SQL's: NaN equals itself and is greatest, -0.0 equals 0.0. */
  object SqlOrder extends Ordering[Double] {
    def compare(a: Double, b: Double): Int =
      if (a.isNaN && b.isNaN) 0
      else if (a.isNaN) 1
      else if (b.isNaN) -1
      else if (a == b) 0
      else if (a < b) -1
      else 1
  }
}
