package io.paddlewheel.bench

import io.paddlewheel.TimeRange
import io.paddlewheel.column.Cells
import io.paddlewheel.plan.{Horizon, Planner}
import io.paddlewheel.wheel.Wheel

/** Random ranges over one and seven days, each planned and run by itself. */
object Ranges extends Part {
  def name: String = "ranges"
  def title: String = "A range of time, planned and answered"

  def measure(peer: Peer): Seq[Figure] =
    Latency.clocks(peer("ranges", "granularity" -> "hours")) +: (for {
      days <- Seq(1, 7)
      wheel = SumWheel.filled(days)
      (granularity, seconds) <- Seq("seconds" -> 1, "minutes" -> 60, "hours" -> 3600)
      figure <- compare(peer, wheel, days, granularity, seconds)
    } yield figure)

  private def compare(peer: Peer, wheel: Wheel, days: Int, granularity: String, seconds: Int): Seq[Figure] = {
    val questioner = new RangeQuestioner(wheel, Workload.ranges(days, seconds))
    WarmUp(Latency.of(questioner))
    val variants = Seq("default", "prefix")
    val rounds = (0 until Latency.Rounds).map { _ =>
      val ours = Latency.of(questioner)
      val peers = variants.map { variant =>
        val answer = peer("ranges", "days" -> days, "granularity" -> granularity, "variant" -> variant)
        same(s"$days days, $granularity", ours.sum.toString, answer.text("checksum"))
        variant -> answer
      }.toMap
      (ours, peers)
    }
    for {
      variant <- variants
      (percentile, ofOurs, target) <- Seq[(String, Latency => Double, Option[Target])](
        ("p50", _.p50, None),
        ("p95", _.p95, Some(Target.AtMost(if (variant == "default") 0.5 else 1.0))),
        ("p99", _.p99, None)
      )
    } yield Figure(
      s"${Workload.named(days)}, $granularity, $percentile, against $variant",
      Latency.median(rounds.map { case (ours, _) => ofOurs(ours) }) - Latency.clock,
      Some(Latency.median(rounds.map { case (_, peers) => peers(variant).withoutClock(percentile) })),
      "ns",
      target
    )
  }
}

/** Asks a wheel for the sum of ranges, from two instants on. */
final class RangeQuestioner(wheel: Wheel, questions: Workload.Questions) extends Questioner {
  private val planner = new Planner(wheel.levels, wheel.schema)
  private val horizon = Horizon.of(wheel)
  private val cells = Cells(wheel.schema, 1)

  def count: Int = questions.count

  def ask(q: Int): Long = {
    planner.answer(TimeRange(questions.starts(q), questions.ends(q)), horizon, wheel, cells, 0)
    cells.longs(0)(0)
  }
}
