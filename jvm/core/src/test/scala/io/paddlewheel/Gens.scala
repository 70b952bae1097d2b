package io.paddlewheel

import java.time.ZoneId
import java.util.concurrent.ConcurrentHashMap

import org.scalacheck.Gen

import io.paddlewheel.column.{Column, Extreme, Kind, Merge, Overflow, Schema}
import io.paddlewheel.time.{Granularity, Instants, Levels, Span, Times}

/** One thing done to a wheel. */
sealed trait Step
object Step {
  final case class Row(instant: Long, values: Seq[Any]) extends Step {
    override def toString: String = s"row ${Instants.show(instant)} ${values.mkString(", ")}"
  }
  final case class Advance(watermark: Long, shared: Boolean) extends Step {
    override def toString: String = s"advance ${Instants.show(watermark)}"
  }
  case object Expire extends Step
  case object Restore extends Step
}

/** What a wheel is made of, and what is done to it. */
final case class Program(levels: Levels, schema: Schema, steps: Seq[Step]) {
  override def toString: String =
    s"$levels in ${levels.zone}\n  ${schema.columns.mkString(", ")}\n  ${steps.mkString("\n  ")}"
}

/** Random wheels: chains of levels, retention, schemas, and programs that run on them. */
object Gens {

  private val Day = 86400L * 1000000

  private val granularities =
    Vector("100 ms", "1 second", "5 seconds", "1 minute", "15 minutes", "30 minutes", "1 hour", "6 hours") ++
      Vector("1 day", "1 week", "1 month", "1 quarter", "1 year", "10 years")

  private val zones =
    Vector("UTC", "Europe/Stockholm", "America/New_York", "America/St_Johns", "Asia/Kolkata") ++
      Vector("Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo", "+05:30")

  private val fits = new ConcurrentHashMap[(String, String, String), java.lang.Boolean]

  private def fit(lower: String, upper: String, zone: String): Boolean =
    fits.computeIfAbsent(
      (lower, upper, zone),
      _ => Times.nest(lower, upper, ZoneId.of(zone))
    )

  private val chains: Gen[(String, Vector[String])] = {
    def grow(chain: Vector[String], zone: String): Gen[Vector[String]] = {
      val coarser = granularities.drop(granularities.indexOf(chain.last) + 1).filter(fit(chain.last, _, zone))
      if (coarser.isEmpty) Gen.const(chain)
      else Gen.frequency(1 -> Gen.const(chain), 5 -> Gen.oneOf(coarser).flatMap(g => grow(chain :+ g, zone)))
    }
    for {
      zone <- Gen.frequency(1 -> Gen.const("UTC"), 2 -> Gen.oneOf(zones))
      base <- Gen.oneOf(granularities.take(10))
      chain <- grow(Vector(base), zone)
    } yield (zone, chain)
  }

  /** The usual length of a slot, or a little more. */
  def size(granularity: Granularity): Long =
    (0L to 3L).map(n => granularity.end(n) - granularity.start(n)).max

  private def retention(slot: Long, rotation: Long): Gen[String] = for {
    turns <- Gen.choose(1L, 3L)
    more <- Gen.oneOf(Gen.const(0L), Gen.choose(0L, rotation), Gen.choose(0L, slot))
    micros = turns * rotation + more
    days = (micros + Day - 1) / Day
    text <- Gen.oneOf(
      s"$micros microseconds",
      if (micros < Day) s"$micros microseconds" else s"$days days",
      if (days < 28) s"$micros microseconds" else s"${days / 28 + 1} months"
    )
  } yield text

  val levels: Gen[Levels] = for {
    (zone, chain) <- chains
    sizes = chain.map(text => size(Granularity.parse(text, ZoneId.of(zone))))
    spans <- Gen.sequence[Vector[String], String](
      chain.indices.map(l => retention(sizes(l), sizes.lift(l + 1).getOrElse(sizes(l))))
    )
    grown = spans.scanLeft("1 microsecond")((a, b) =>
      if (Span.parse(a).nominal > Span.parse(b).nominal) a else b
    )
    kept <- Gen.frequency(2 -> Gen.choose(0, chain.size), 1 -> Gen.const(chain.size))
  } yield Levels(chain.zip(grown.drop(1).zipWithIndex.map { case (r, l) => Option.when(l < kept)(r) }), zone)

  private val wholes = Gen.oneOf(Kind.Byte, Kind.Short, Kind.Int, Kind.Long)
  private val floats = Gen.oneOf(Kind.Float, Kind.Double)
  private val extremes = Gen.oneOf(Extreme.Least, Extreme.Greatest)
  private val flag = Gen.oneOf(true, false)

  private def inverted(name: String): Gen[Column] = for {
    kind <- wholes
    merge <- Gen.frequency(4 -> Merge.Sum, 1 -> Merge.Xor)
    nullable <- Gen.frequency(3 -> false, 1 -> true)
    overflow <- Gen.oneOf(Overflow.Wrap, Overflow.Error)
  } yield Column.Primitive(name, kind, merge, nullable, overflow)

  /** Columns whose bytes do not depend on the order of merges. */
  private def ordered(name: String): Gen[Column] = Gen.oneOf(
    inverted(name),
    for (k <- wholes; m <- Gen.oneOf(Merge.Min, Merge.Max, Merge.And, Merge.Or); n <- flag)
      yield Column.Primitive(name, k, m, n),
    for (k <- floats; m <- Gen.oneOf(Merge.Min, Merge.Max); n <- flag) yield Column.Primitive(name, k, m, n),
    extremes.map(Column.ExtremeCount(name, Kind.Double, _)),
    for (e <- extremes; t <- extremes) yield Column.Arg(name, Kind.Double, Kind.Double, e, t),
    Gen.const(Column.Combined(name, Union))
  )

  private def rounded(name: String): Gen[Column] = Gen.oneOf(
    for (k <- floats; n <- flag) yield Column.Primitive(name, k, Merge.Sum, n),
    Gen.const(Column.Moments(name))
  )

  private def schemas(column: String => Gen[Column]): Gen[Schema] = for {
    count <- Gen.frequency(3 -> 1, 2 -> 2, 1 -> 4)
    columns <- Gen.sequence[Vector[Column], Column]((0 until count).map(c => column(s"c$c")))
  } yield new Schema(columns)

  val invertible: Gen[Schema] = schemas(inverted)
  val orderFree: Gen[Schema] = Gen.oneOf(invertible, schemas(ordered))
  val schema: Gen[Schema] =
    Gen.frequency(2 -> orderFree, 1 -> schemas(n => Gen.oneOf(ordered(n), rounded(n))))

  /** Quarters, whose sums are exact in any order, and what is not a number at all. */
  private val double: Gen[Double] = Gen.frequency(
    12 -> Gen.choose(-4000, 4000).map(_ * 0.25),
    2 -> Gen.oneOf(0.0, -0.0),
    1 -> Gen.oneOf(Double.NaN, Double.PositiveInfinity, Double.NegativeInfinity)
  )

  private def value(column: Column): Gen[Any] = column match {
    case Column.Primitive(_, kind: Kind.Whole, _, nullable, _) =>
      val numbers = Gen.frequency(
        6 -> Gen.choose(-100L, 100L),
        2 -> Gen.choose(kind.min, kind.max),
        1 -> Gen.oneOf(kind.min, kind.max)
      )
      orNull(nullable, numbers.map(BigInt(_)))
    case Column.Primitive(_, _, _, nullable, _) => orNull(nullable, double)
    case _: Column.Combined => Gen.frequency(1 -> Set.empty[Int], 3 -> Gen.choose(0, 60).map(Set(_)))
    case _: Column.Moments =>
      Gen.frequency(1 -> ((0.0, 0.0, 0.0)), 4 -> Gen.choose(-1000, 1000).map(v => (1.0, v.toDouble, 0.0)))
    case _: Column.ExtremeCount => Gen.frequency(1 -> ((None, 0)), 4 -> few.map(v => (Some(v), 1)))
    case _: Column.Arg => // a value without its `by` is no value
      Gen.frequency(1 -> ((None, None)), 4 -> Gen.zip(orNull(true, few), few.map(Some(_))))
  }

  /** From a few values, so that there are ties. */
  private val few: Gen[Double] = Gen.oneOf(double, Gen.choose(-2, 2).map(_.toDouble))

  private def orNull[A](nullable: Boolean, values: Gen[A]): Gen[Option[A]] =
    if (nullable) Gen.frequency(1 -> None, 3 -> values.map(Some(_))) else values.map(Some(_))

  def row(schema: Schema): Gen[Seq[Any]] = Gen.sequence[Vector[Any], Any](schema.columns.map(value))

  def instant(levels: Levels): Gen[Long] = Times.instants(levels.zone).map(within(levels, _))

  def within(levels: Levels, instant: Long): Long =
    math.max(math.max(levels.earliest, Instants.Min), math.min(Instants.Max, instant))

  /** A stretch of time as long as the slots of some level, or a few of them. */
  def stretch(levels: Levels): Gen[Long] = for {
    level <- Gen.choose(0, levels.top)
    share <- Gen.choose(0.0, 3.0)
  } yield (share * size(levels.granularity(level))).toLong

  /** Steps around a time that moves on: rows in order, early and late; watermarks, also falling ones; idle years. */
  private def move(levels: Levels, schema: Schema): Gen[Long => (Long, Step)] = {
    def at(now: Long, values: Seq[Any]): Step = Step.Row(within(levels, now), values)
    def mark(now: Long, shared: Boolean): Step = Step.Advance(within(levels, now), shared)
    val some = stretch(levels)
    Gen.frequency(
      8 -> Gen.zip(some, row(schema)).map { case (d, v) => (now: Long) => (now + d / 4, at(now + d / 4, v)) },
      4 -> row(schema).map(v => (now: Long) => (now, at(now, v))),
      6 -> Gen.zip(some, row(schema)).map { case (d, v) => (now: Long) => (now, at(now - 2 * d, v)) },
      2 -> Gen.zip(some, row(schema)).map { case (d, v) => (now: Long) => (now, at(now + d, v)) },
      5 -> Gen.zip(some, flag).map { case (d, s) => (now: Long) => (now, mark(now - d / 4, s)) },
      1 -> Gen.zip(some, flag).map { case (d, s) => (now: Long) => (now, mark(now - 4 * d, s)) },
      1 -> Gen.zip(some, Gen.choose(0L, 400L)).map { case (d, y) =>
        (now: Long) => (within(levels, now + d + y * 365 * Day), mark(now + d, shared = false))
      },
      1 -> Gen.const((now: Long) => (now, Step.Expire)),
      1 -> Gen.const((now: Long) => (now, Step.Restore))
    )
  }

  def steps(levels: Levels, schema: Schema, start: Long): Gen[Seq[Step]] = for {
    count <- Gen.frequency(1 -> Gen.choose(0, 5), 3 -> Gen.choose(5, 40), 1 -> Gen.choose(40, 120))
    moves <- Gen.listOfN(count, move(levels, schema))
  } yield moves.iterator
    .scanLeft((start, Step.Expire: Step)) { case ((now, _), move) => move(now) }
    .drop(1)
    .map(_._2)
    .toVector

  def programs(schemas: Gen[Schema]): Gen[Program] = for {
    levels <- levels
    schema <- schemas
    start <- instant(levels)
    steps <- steps(levels, schema, start)
  } yield Program(levels, schema, steps)

  val program: Gen[Program] = programs(schema)
}
