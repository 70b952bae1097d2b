package io.paddlewheel.window

import scala.util.Random

import io.paddlewheel.Refusal
import io.paddlewheel.time.{Fixed, Granularity, Levels, Micros, Times}

/** Random levels, windows and batches, all from one seed. */
final class Scenario(
    seed: Long,
    schemas: Seq[Measures],
    emissions: Seq[Emission],
    stored: Boolean = false
) {
  private val random = new Random(seed)
  private val clock = pick(Scenario.clocks)
  private val unit = Granularity.parse(clock.levels.head).asInstanceOf[Fixed].size
  val emission: Emission = pick(emissions)
  val windows: IndexedSeq[Window] = {
    val some = IndexedSeq.fill(between(1, 4))(window())
    if (chance(0.2)) some :+ some.head else some
  }
  private val measures = pick(schemas)

  val drive: Drive = Iterator.fill(3)(pick(clock.retentions)).flatMap(attempt).nextOption().getOrElse {
    new Drive(clock.keeping(Nil), measures, windows, emission, stored)
  }

  // A late slot may open a session again whose beginning retention has let go.
  private val mayBeLate =
    drive.levels(0).retention.isEmpty || !windows.exists(_.isInstanceOf[Window.Session])
  private val disorder = pick(Seq(0, 1, 5, 30)) * unit
  private val density = pick(Seq(1, 3, 20)) * unit

  private def attempt(retention: Seq[String]): Option[Drive] =
    try Some(new Drive(clock.keeping(retention), measures, windows, emission, stored))
    catch { case refused: Refusal if refused.condition == "WINDOW_BEYOND_RETENTION" => None }

  private def window(): Window = random.nextInt(6) match {
    case 0 => Window.Tumbling(Fixed(unit * pick(Seq(1L, 2L, 3L, 5L, 10L, 60L)), 0))
    case 1 => Window.Tumbling(Granularity.parse(pick(clock.grids), Times.zone(clock.zone)))
    case 2 if !stored => Window.Session(unit * between(1, 8))
    case 3 =>
      val (grid, steps) = pick(clock.cumulative)
      Window.Cumulative(Granularity.parse(grid, Times.zone(clock.zone)), unit * pick(steps).toLong)
    case _ =>
      val grain = unit * pick(Seq(1L, 1L, clock.fanOut.toLong))
      val slide = between(1, 5)
      Window.Sliding(grain * between(slide, slide * 8), grain * slide)
  }

  /** Runs all batches; what went wrong in the first that did. */
  def run(): Option[String] = {
    var now = pick(clock.origins) + between(-50, 50) * unit
    var watermark = Long.MinValue
    val batches = between(3, 12)
    Iterator
      .range(0, batches + 1)
      .map { batch =>
        if (chance(0.2)) drive.restart() else if (chance(0.15)) drive.restore()
        val added = if (batch < batches && !chance(0.1)) rows(now, watermark) else Nil
        now += (if (chance(0.1)) idle() else between(0, 30) * density / 3)
        if (batch == batches) watermark = now + 3 * 366 * Micros.Day
        else if (!chance(0.15)) watermark = math.max(watermark, step(now, watermark))
        val (found, expected) = drive.batch(added, watermark)
        Option.unless(drive.agree(found, expected))(describe(batch, added, watermark, found, expected))
      }
      .collectFirst { case Some(fault) => fault }
  }

  private def rows(now: Long, watermark: Long): Seq[Row] =
    Seq.fill(between(0, 8)) {
      val time =
        now + between(0, 10) * density - (if (disorder > 0) Math.floorMod(random.nextLong(), disorder)
                                          else 0L)
      val late =
        if (mayBeLate && watermark > Long.MinValue && chance(0.15)) watermark - between(0, 90) * unit
        else time
      // Those that are late although they may not be are dropped by the caller.
      val taken = if (mayBeLate) late else math.max(late, watermark)
      Row(taken, Option.unless(chance(0.2))(between(-3, 5).toLong))
    }

  /** The next watermark: tiny steps inside of a slot, a slot or a few, or up to now and a little beyond. */
  private def step(now: Long, watermark: Long): Long = random.nextInt(4) match {
    case 0 if watermark > Long.MinValue => watermark + 1 + Math.floorMod(random.nextLong(), unit)
    case 1 if watermark > Long.MinValue => watermark + between(1, 12) * unit
    case 2 => now + between(-10, 10) * unit
    case _ => now - disorder
  }

  private def idle(): Long = pick(Seq(Micros.Hour, Micros.Day, 40 * Micros.Day, 800 * Micros.Day))

  private def describe(batch: Int, added: Seq[Row], mark: Long, found: Seq[Emitted], expected: Seq[Emitted]) =
    s"""${drive.levels}, $measures, $emission, batch $batch, watermark $mark
       |windows ${windows.zipWithIndex.mkString(", ")}
       |rows $added
       |only found    ${found.filterNot(expected.contains)}
       |only expected ${expected.filterNot(found.contains)}""".stripMargin

  private def between(low: Int, high: Int): Int = low + random.nextInt(high - low + 1)
  private def chance(share: Double): Boolean = random.nextDouble() < share
  private def pick[A](of: Seq[A]): A = of(random.nextInt(of.size))
}

object Scenario {

  /** Levels, and retentions of them to choose from; grids that nest; days around which rows fall. `fanOut` is of the
    * base.
    */
  private final case class Clock(
      levels: Seq[String],
      retentions: Seq[Seq[String]],
      fanOut: Int,
      zone: String,
      grids: Seq[String],
      cumulative: Seq[(String, Seq[Int])],
      origins: Seq[Long]
  ) {

    /** Levels beyond the retentions given are kept for ever. */
    def keeping(retention: Seq[String]): Levels =
      Levels(levels.zipAll(retention.map(Some(_)), "", None).take(levels.size), zone)
  }

  private val plain = Seq(0L, -77 * Micros.Minute, Times.utc("2026-03-01T23:59:30"))
  private val summer = Seq(Times.utc("2025-03-30T00:40:00"), Times.utc("2025-10-26T00:20:00"))

  private val clocks = Seq(
    Clock(
      Seq("1 second", "1 minute", "1 hour"),
      Seq(Seq(), Seq("1 minute"), Seq("2 minutes"), Seq("1 minute", "1 hour"), Seq("10 minutes", "2 hours")),
      60,
      "UTC",
      Seq("7 seconds", "1 minute", "1 hour", "1 week"),
      Seq("1 minute" -> Seq(7, 20), "50 seconds" -> Seq(10, 20)),
      plain
    ),
    Clock(
      Seq("500 ms"),
      Seq(Seq(), Seq("1 minute")),
      60,
      "UTC",
      Seq("5 seconds", "1 day"),
      Seq("10 seconds" -> Seq(2, 3)),
      plain
    ),
    Clock(
      Seq("15 minutes", "1 hour", "1 day", "1 month"),
      Seq(Seq(), Seq("1 hour"), Seq("2 days"), Seq("40 days"), Seq("1 day", "2 days", "62 days")),
      4,
      "Europe/Stockholm",
      Seq("1 day", "1 week", "1 month"),
      Seq("1 day" -> Seq(4, 40), "1 hour" -> Seq(1, 3)),
      summer
    ),
    Clock(
      Seq("1 hour", "1 day"),
      Seq(Seq(), Seq("2 days", "1 month"), Seq("2 days", "2 months"), Seq("35 days")),
      24,
      "America/New_York",
      Seq("1 day", "1 month", "3 hours"),
      Seq("1 day" -> Seq(1, 5), "1 week" -> Seq(24)),
      Seq(Times.utc("2025-03-09T05:00:00"), Times.utc("2025-11-02T04:00:00"))
    )
  )
}
