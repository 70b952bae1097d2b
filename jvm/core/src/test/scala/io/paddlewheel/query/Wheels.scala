package io.paddlewheel.query

import scala.collection.mutable.ArrayBuffer
import scala.util.Random

import io.paddlewheel.TimeRange
import io.paddlewheel.time.{Granularity, Levels, Micros, Times}
import io.paddlewheel.wheel.{Outcome, Wheel}
import io.paddlewheel.window.{Measures, Row}

/** Wheels of several keys at one watermark, beside the rows each has taken. */
final class Wheels(val levels: Levels, val measures: Measures, keys: Int) {
  val wheels: IndexedSeq[Wheel] = IndexedSeq.fill(keys)(new Wheel(levels, measures.schema))
  val rows: IndexedSeq[ArrayBuffer[Row]] = IndexedSeq.fill(keys)(ArrayBuffer.empty[Row])

  def merge(key: Int, row: Row): Unit = {
    val outcome = wheels(key).merge(levels.base.slotOf(row.time), measures.row(row.value), 0)
    if (outcome ne Outcome.Expired) rows(key) += row.copy(time = levels.base.floor(row.time))
  }

  def advance(watermark: Long, expire: Boolean = true): Unit = wheels.foreach { wheel =>
    wheel.advance(watermark)
    if (expire) wheel.expire()
  }

  def reader: Reader = new Reader(levels, measures.schema, wheels)

  /** The answer for each key, straight from its rows. */
  def naive(range: TimeRange): Seq[Option[Seq[Any]]] = rows.map { all =>
    val within = all.filter(row => row.time >= range.start && row.time < range.end)
    Option.when(within.nonEmpty)(measures.naive(within.map(_.value).toSeq))
  }

  def read(answers: Answers): Seq[Option[Seq[Any]]] =
    wheels.indices.map(w => Option.when(answers.isPresent(w))(measures.read(answers.cells, w)))

  def agree(found: Seq[Option[Seq[Any]]], expected: Seq[Option[Seq[Any]]]): Boolean =
    found.lazyZip(expected).forall {
      case (Some(f), Some(e)) => measures.agree(f, e)
      case (f, e) => f.isEmpty && e.isEmpty
    }

  /** The steps of a grid with data, straight from the rows. */
  def naiveSteps(range: TimeRange, every: Granularity): Seq[(Long, Long, Seq[Option[Seq[Any]]])] =
    rows.flatten
      .map(_.time)
      .filter(t => t >= range.start && t < range.end)
      .map(every.slotOf)
      .distinct
      .sorted
      .map { step =>
        val cut = TimeRange(math.max(range.start, every.start(step)), math.min(range.end, every.end(step)))
        (every.start(step), every.end(step), naive(cut))
      }

  /** The slot of an instant at the finest level that still has it. */
  def heldSlot(instant: Long): Option[TimeRange] =
    (0 until levels.count).find(level => instant >= levels.heldFrom(level, wheels.head.watermark)).map {
      level =>
        val grid = levels.granularity(level)
        TimeRange(grid.floor(instant), grid.end(grid.slotOf(instant)))
    }

  /** All of time from here on is held at the base level. */
  def heldFrom: Long = if (wheels.isEmpty) Long.MinValue else levels.heldFrom(0, wheels.head.watermark)
}

object Wheels {

  /** Levels with grids to ask by, and an instant around which rows fall. */
  private final case class Clock(
      levels: Seq[Seq[(String, Option[String])]],
      zone: String,
      grids: Seq[String],
      origin: Long
  )

  private val clocks = Seq(
    Clock(
      Seq(
        Seq("1 second" -> None, "1 minute" -> None, "1 hour" -> None),
        Seq("1 second" -> Some("1 minute"), "1 minute" -> Some("1 hour"), "1 hour" -> None),
        Seq("1 second" -> Some("5 minutes"), "1 minute" -> Some("1 day"), "1 hour" -> Some("2 days"))
      ),
      "UTC",
      Seq("1 second", "1 minute", "1 hour", "7 seconds", "90 minutes", "1 month"),
      Times.utc("2026-02-28T23:58:00")
    ),
    Clock(
      Seq(
        Seq("15 minutes" -> None, "1 hour" -> None, "1 day" -> None, "1 month" -> None),
        Seq(
          "15 minutes" -> Some("1 day"),
          "1 hour" -> Some("2 days"),
          "1 day" -> Some("90 days"),
          "1 month" -> None
        )
      ),
      "Europe/Stockholm",
      Seq("15 minutes", "1 day", "1 week", "1 month", "45 minutes", "1 quarter"),
      Times.utc("2025-03-29T22:00:00")
    )
  )

  /** Random wheels, some past expiry, with rows above the watermark; grids, and instants worth asking for. */
  def random(random: Random, schemas: Seq[Measures]): (Wheels, Seq[Granularity], () => Long) = {
    def pick[A](of: Seq[A]): A = of(random.nextInt(of.size))
    val clock = pick(clocks)
    val levels = Levels(pick(clock.levels), clock.zone)
    val wheels = new Wheels(levels, pick(schemas), random.nextInt(5))
    val unit = levels.base.end(0) - levels.base.start(0)
    var now = clock.origin - random.nextInt(100) * unit
    (1 to 2 + random.nextInt(8)).foreach { _ =>
      for (key <- wheels.wheels.indices; _ <- 0 to random.nextInt(6))
        wheels.merge(
          key,
          Row(
            now + (random.nextInt(40) - 5) * unit,
            Option.when(random.nextInt(5) > 0)(random.nextInt(20).toLong)
          )
        )
      now += unit * pick(Seq(3L, 30L, 400L))
      if (random.nextInt(10) == 0) now += pick(Seq(Micros.Day, 100 * Micros.Day))
      if (random.nextInt(4) > 0)
        wheels.advance(now + (random.nextInt(40) - 20) * unit / 3, random.nextInt(4) > 0)
    }
    wheels.wheels.foreach(_.expire())
    val grids = clock.grids.map(Granularity.parse(_, Times.zone(clock.zone)))
    def instant(): Long = {
      val somewhere =
        clock.origin + random.nextLong(math.max(1, now + 100 * unit - clock.origin)) - random.nextInt(
          100
        ) * unit
      val known = wheels.rows.flatten.map(_.time)
      val near =
        if (known.isEmpty || random.nextBoolean()) somewhere
        else pick(known.toSeq) + (random.nextInt(7) - 3) * unit
      random.nextInt(8) match {
        case 0 => near + random.nextInt(3) - 1
        case 1 | 2 => pick(grids).floor(near)
        case 3 => levels.granularity(random.nextInt(levels.count)).floor(near)
        case _ => levels.base.floor(near)
      }
    }
    (wheels, grids, () => instant())
  }
}
