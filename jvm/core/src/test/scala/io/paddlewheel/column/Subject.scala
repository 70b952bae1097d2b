package io.paddlewheel.column

import org.scalacheck.Gen

import io.paddlewheel.column.Scalars.{Floatings, SqlOrder, Wholes}

/** A kind of column under test, with values of its own and the plainest way to add them up. */
abstract class Subject[V] {
  def column(name: String): Column
  def values: Gen[V]

  /** Writes one value into column `c` of a schema. */
  final def write(cells: Cells, c: Int, at: Int, value: V): Unit = {
    cells.schema.kernels(c).clear(cells, at)
    put(cells, cells.schema.lane(c), at, value)
  }
  final def read(cells: Cells, c: Int, at: Int): V = get(cells, cells.schema.lane(c), at)

  /** What at least one value add up to, worked out without the engine. */
  def total(values: Seq[V]): V

  /** Equal as SQL sees it; sums up to rounding. */
  def same(a: V, b: V): Boolean

  /** Whether the order of merges shows, in the last digits. */
  def rounds: Boolean = false

  /** Equal to the bit, unless the column [[rounds]]. */
  def identical(a: V, b: V): Boolean

  /** Writes over a neutral position. */
  protected def put(cells: Cells, lane: Int, at: Int, value: V): Unit
  protected def get(cells: Cells, lane: Int, at: Int): V

  override def toString: String = column("it").toString
}

object Subject {

  private def nullable[A](values: Gen[A], nulls: Boolean): Gen[Option[A]] =
    if (nulls) Gen.frequency(1 -> Gen.const(None), 3 -> values.map(Some(_))) else values.map(Some(_))

  private def both[A](a: Option[A], b: Option[A])(equal: (A, A) => Boolean): Boolean = (a, b) match {
    case (Some(x), Some(y)) => equal(x, y)
    case _ => a.isEmpty && b.isEmpty
  }

  sealed abstract class Primitives[A](scalars: Scalars[A], merge: Merge, nulls: Boolean)
      extends Subject[Option[A]] {
    def column(name: String): Column = Column.Primitive(name, scalars.kind, merge, nulls)
    def values: Gen[Option[A]] = nullable(scalars.values, nulls)
    def same(a: Option[A], b: Option[A]): Boolean = both(a, b)(scalars.order.equiv)
    def identical(a: Option[A], b: Option[A]): Boolean = both(a, b)(scalars.identical)

    protected def put(cells: Cells, lane: Int, at: Int, value: Option[A]): Unit = value.foreach { v =>
      scalars.put(cells, lane, at, v)
      cells.setValid(lane, at, true)
    }
    protected def get(cells: Cells, lane: Int, at: Int): Option[A] =
      if (cells.isValid(lane, at)) Some(scalars.get(cells, lane, at)) else None
  }

  final class Whole(scalars: Wholes, merge: Merge, nulls: Boolean)
      extends Primitives[Long](scalars, merge, nulls) {
    def total(values: Seq[Option[Long]]): Option[Long] = {
      val known = values.flatten
      if (known.isEmpty) None
      else
        Some(merge match {
          case Merge.Sum => scalars.low(known.map(BigInt(_)).sum)
          case Merge.Min => known.min
          case Merge.Max => known.max
          case Merge.And => known.reduce(_ & _)
          case Merge.Or => known.reduce(_ | _)
          case Merge.Xor => known.reduce(_ ^ _)
        })
    }
  }

  final class Extremum(scalars: Floatings, merge: Merge, nulls: Boolean)
      extends Primitives[Double](scalars, merge, nulls) {
    def total(values: Seq[Option[Double]]): Option[Double] =
      if (merge == Merge.Min) values.flatten.minOption(SqlOrder) else values.flatten.maxOption(SqlOrder)
  }

  final class FloatingSums(scalars: Floatings, nulls: Boolean)
      extends Primitives[Double](scalars, Merge.Sum, nulls) {
    override def rounds: Boolean = true
    override def values: Gen[Option[Double]] = nullable(scalars.summableOrEndless, nulls)
    override def same(a: Option[Double], b: Option[Double]): Boolean = both(a, b)(near)
    override def identical(a: Option[Double], b: Option[Double]): Boolean = same(a, b)

    def total(values: Seq[Option[Double]]): Option[Double] = {
      val (finite, endless) = values.flatten.partition(v => !v.isNaN && !v.isInfinite)
      if (endless.nonEmpty) Some(if (endless.distinct.size > 1) Double.NaN else endless.head)
      else finite.map(BigDecimal.exact).reduceOption(_ + _).map(_.toDouble)
    }
  }

  /** Far above what rounding does to the sums drawn here, far below any of the values. */
  private def near(a: Double, b: Double): Boolean = SqlOrder.equiv(a, b) || math.abs(a - b) <= 1e-5

  final class ExactSums(scalars: Wholes, nulls: Boolean) extends Subject[Option[BigInt]] {
    def column(name: String): Column =
      Column.Primitive(name, scalars.kind, Merge.Sum, nulls, Overflow.Error)
    def values: Gen[Option[BigInt]] =
      nullable(
        Gen.frequency(9 -> scalars.values.map(BigInt(_)), 1 -> Gen.choose(-9L, 9L).map(BigInt(_) << 70)),
        nulls
      )
    def total(values: Seq[Option[BigInt]]): Option[BigInt] = values.flatten.reduceOption(_ + _)
    def same(a: Option[BigInt], b: Option[BigInt]): Boolean = a == b
    def identical(a: Option[BigInt], b: Option[BigInt]): Boolean = a == b

    protected def put(cells: Cells, lane: Int, at: Int, value: Option[BigInt]): Unit = value.foreach { v =>
      cells.longs(lane)(at) = v.toLong
      cells.longs(lane + 1)(at) = (v >> 64).toLong
      cells.setValid(lane, at, true)
    }
    protected def get(cells: Cells, lane: Int, at: Int): Option[BigInt] =
      if (!cells.isValid(lane, at)) None
      else {
        val low = BigInt(cells.longs(lane)(at) >>> 1) * 2 + (cells.longs(lane)(at) & 1)
        Some((BigInt(cells.longs(lane + 1)(at)) << 64) + low)
      }
  }

  final case class Population(n: Double, mean: Double, m2: Double)

  object Moments extends Subject[Population] {
    def column(name: String): Column = Column.Moments(name)
    override def rounds: Boolean = true

    def values: Gen[Population] = Gen.choose(0, 4).flatMap(Gen.listOfN(_, Gen.choose(-1e3, 1e3))).map { xs =>
      val mean = if (xs.isEmpty) 0.0 else xs.sum / xs.size
      Population(xs.size.toDouble, mean, xs.map(x => (x - mean) * (x - mean)).sum)
    }
    def total(values: Seq[Population]): Population = {
      val n = values.map(_.n).sum
      if (n == 0) Population(0, 0, 0)
      else {
        val exact =
          values.map(p => (BigDecimal.exact(p.n), BigDecimal.exact(p.mean), BigDecimal.exact(p.m2)))
        val mean = exact.map { case (k, m, _) => k * m }.sum / n
        val m2 = exact.map { case (k, m, squares) => squares + k * (m - mean) * (m - mean) }.sum
        Population(n, mean.toDouble, m2.toDouble)
      }
    }
    def same(a: Population, b: Population): Boolean =
      a.n == b.n && near(a.mean, b.mean) && math.abs(a.m2 - b.m2) <= 1e-9 * (1 + math.abs(a.m2))
    def identical(a: Population, b: Population): Boolean = same(a, b)

    protected def put(cells: Cells, lane: Int, at: Int, value: Population): Unit = {
      cells.doubles(lane)(at) = value.n
      cells.doubles(lane + 1)(at) = value.mean
      cells.doubles(lane + 2)(at) = value.m2
    }
    protected def get(cells: Cells, lane: Int, at: Int): Population =
      Population(cells.doubles(lane)(at), cells.doubles(lane + 1)(at), cells.doubles(lane + 2)(at))
  }

  /** None where nothing was counted yet. */
  final class ExtremeCounts[A](scalars: Scalars[A], extreme: Extreme) extends Subject[Option[(A, Long)]] {
    private val best = if (extreme == Extreme.Greatest) scalars.order else scalars.order.reverse

    def column(name: String): Column = Column.ExtremeCount(name, scalars.kind, extreme)
    def values: Gen[Option[(A, Long)]] = nullable(Gen.zip(scalars.values, Gen.choose(1L, 5L)), nulls = true)
    def total(values: Seq[Option[(A, Long)]]): Option[(A, Long)] = {
      val counted = values.flatten
      counted.map(_._1).maxOption(best).map { top =>
        (top, counted.collect { case (value, count) if best.equiv(value, top) => count }.sum)
      }
    }
    def same(a: Option[(A, Long)], b: Option[(A, Long)]): Boolean =
      both(a, b)((x, y) => scalars.order.equiv(x._1, y._1) && x._2 == y._2)
    def identical(a: Option[(A, Long)], b: Option[(A, Long)]): Boolean =
      both(a, b)((x, y) => scalars.identical(x._1, y._1) && x._2 == y._2)

    protected def put(cells: Cells, lane: Int, at: Int, value: Option[(A, Long)]): Unit =
      value.foreach { case (v, count) =>
        scalars.put(cells, lane, at, v)
        cells.longs(lane + 1)(at) = count
      }
    protected def get(cells: Cells, lane: Int, at: Int): Option[(A, Long)] = {
      val count = cells.longs(lane + 1)(at)
      if (count == 0) None else Some((scalars.get(cells, lane, at), count))
    }
  }

  /** None where `by` was never known; within, the value may be null and comes first. */
  final class Args[A, B](value: Scalars[A], by: Scalars[B], extreme: Extreme, tieBreak: Extreme)
      extends Subject[Option[(Option[A], B)]] {
    private type Found = Option[(Option[A], B)]
    private val best = if (extreme == Extreme.Greatest) by.order else by.order.reverse
    private val values0 = Ordering.Option(value.order)
    private val tied = if (tieBreak == Extreme.Greatest) values0 else values0.reverse

    def column(name: String): Column = Column.Arg(name, value.kind, by.kind, extreme, tieBreak)
    def values: Gen[Found] = nullable(Gen.zip(nullable(value.values, nulls = true), by.values), nulls = true)
    def total(values: Seq[Found]): Found = {
      val known = values.flatten
      known.map(_._2).maxOption(best).map { top =>
        (known.collect { case (v, b) if best.equiv(b, top) => v }.max(tied), top)
      }
    }
    def same(a: Found, b: Found): Boolean =
      both(a, b)((x, y) => both(x._1, y._1)(value.order.equiv) && by.order.equiv(x._2, y._2))
    def identical(a: Found, b: Found): Boolean =
      both(a, b)((x, y) => both(x._1, y._1)(value.identical) && by.identical(x._2, y._2))

    protected def put(cells: Cells, lane: Int, at: Int, found: Found): Unit = found.foreach { case (v, b) =>
      by.put(cells, lane + 1, at, b)
      cells.setValid(lane + 1, at, true)
      v.foreach { known =>
        value.put(cells, lane, at, known)
        cells.setValid(lane, at, true)
      }
    }
    protected def get(cells: Cells, lane: Int, at: Int): Found =
      if (!cells.isValid(lane + 1, at)) None
      else
        Some(
          (
            if (cells.isValid(lane, at)) Some(value.get(cells, lane, at)) else None,
            by.get(cells, lane + 1, at)
          )
        )
  }

  sealed abstract class Objects[S](combiner: Combiner, states: Gen[S]) extends Subject[Option[S]] {
    override def toString: String = combiner.name
    def column(name: String): Column = Column.Combined(name, combiner)
    def values: Gen[Option[S]] = nullable(states, nulls = true)
    def same(a: Option[S], b: Option[S]): Boolean = a == b
    def identical(a: Option[S], b: Option[S]): Boolean = a == b

    protected def make(state: S): AnyRef
    protected def look(value: AnyRef): S
    protected def put(cells: Cells, lane: Int, at: Int, value: Option[S]): Unit =
      value.foreach(state => cells.objects(lane)(at) = make(state))
    protected def get(cells: Cells, lane: Int, at: Int): Option[S] = Option(cells.objects(lane)(at)).map(look)
  }

  private val words = Gen.choose(1, 3).flatMap(Gen.listOfN(_, Gen.oneOf("", "a", "b", "ü", "long word")))

  object Sets extends Objects[Set[String]](StringSets, words.map(_.toSet)) {
    def total(values: Seq[Option[Set[String]]]): Option[Set[String]] = values.flatten.reduceOption(_ ++ _)
    protected def make(state: Set[String]): AnyRef = StringSets.of(state)
    protected def look(value: AnyRef): Set[String] = StringSets.strings(value)
  }

  private val top3 = new TopK(3)
  private val someNumbers = Gen.choose(0, 4).flatMap(Gen.listOfN(_, Wholes(Kind.Long).values))

  object Tops extends Objects[Seq[Long]](top3, someNumbers.map(_.sorted.reverse.take(3))) {
    def total(values: Seq[Option[Seq[Long]]]): Option[Seq[Long]] = {
      val known = values.flatten
      if (known.isEmpty) None else Some(known.flatten.sorted.reverse.take(3))
    }
    protected def make(state: Seq[Long]): AnyRef = top3.of(state)
    protected def look(value: AnyRef): Seq[Long] = top3.numbers(value)
  }
}

/** Every kind of column there is. */
object Subjects {
  import Subject._

  private val nullOrNot = Seq(false, true)
  private val extremes = Seq(Extreme.Least, Extreme.Greatest)

  private val bitwise: Seq[Merge] = Seq(Merge.Min, Merge.Max, Merge.And, Merge.Or, Merge.Xor)

  val wholes: Seq[Subject[_]] = for {
    kind <- Scalars.wholeKinds
    merge <- if (kind == Kind.Boolean) bitwise else Merge.Sum +: bitwise
    nulls <- nullOrNot
  } yield new Whole(Wholes(kind), merge, nulls)

  val floatings: Seq[Subject[_]] = for {
    kind <- Scalars.floatingKinds
    nulls <- nullOrNot
    subject <- Seq[Subject[_]](
      new FloatingSums(Floatings(kind), nulls),
      new Extremum(Floatings(kind), Merge.Min, nulls),
      new Extremum(Floatings(kind), Merge.Max, nulls)
    )
  } yield subject

  val exactSums: Seq[Subject[_]] = for {
    kind <- Scalars.wholeKinds if kind != Kind.Boolean
    nulls <- nullOrNot
  } yield new ExactSums(Wholes(kind), nulls)

  val extremeCounts: Seq[Subject[_]] =
    for (scalars <- Scalars.all; extreme <- extremes) yield new ExtremeCounts(scalars, extreme)

  val args: Seq[Subject[_]] = for {
    (value, by) <- (Scalars.all.map(_ -> Wholes(Kind.Int)) ++ Scalars.all.map(
      Floatings(Kind.Double) -> _
    )).distinct
    extreme <- extremes
    tieBreak <- extremes
  } yield new Args(value, by, extreme, tieBreak)

  val all: Seq[Subject[_]] =
    wholes ++ floatings ++ exactSums ++ extremeCounts ++ args :+ Moments :+ Sets :+ Tops
}
