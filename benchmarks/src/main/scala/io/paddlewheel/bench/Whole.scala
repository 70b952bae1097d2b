package io.paddlewheel.bench

import io.paddlewheel.column.Cells
import io.paddlewheel.time.Micros
import io.paddlewheel.wheel.Wheel

/** The total of everything: as the landmark, and as a range that encloses all. */
object Whole extends Part {
  def name: String = "whole"
  def title: String = "The whole wheel"

  private val Queries = 50000

  def measure(peer: Peer): Seq[Figure] = Latency.clocks(peer("whole", "days" -> 1)) +: Seq(1, 7).flatMap {
    days =>
      val wheel = SumWheel.filled(days)
      val landmark = new LandmarkQuestioner(wheel, Queries)
      val all = new RangeQuestioner(
        wheel,
        Workload.Questions(
          Array.fill(Queries)(Workload.Begin),
          Array.fill(Queries)(Workload.Begin + days * Micros.Day)
        )
      )
      WarmUp(Latency.of(landmark))
      WarmUp(Latency.of(all))
      val rounds = (0 until Latency.Rounds).map { _ =>
        val answer = peer("whole", "days" -> days)
        val ours = (Latency.of(landmark), Latency.of(all))
        same(s"$days days, landmark", ours._1.sum.toString, answer.text("checksum"))
        same(s"$days days, range", ours._2.sum.toString, answer.text("checksum_range"))
        (ours._1, ours._2, answer)
      }
      def figure(what: String, percentile: String, target: Option[Target])(
          ours: ((Latency, Latency, Peer.Answer)) => Double,
          suffix: String
      ): Figure = Figure(
        s"${Workload.named(days)}, $what, $percentile",
        Latency.median(rounds.map(ours)) - Latency.clock,
        Some(Latency.median(rounds.map(_._3.withoutClock(percentile + suffix)))),
        "ns",
        target
      )
      val aim = Some(Target.AtMost(1.0))
      Seq(
        figure("landmark", "p50", None)(_._1.p50, ""),
        figure("landmark", "p95", aim)(_._1.p95, ""),
        figure("landmark", "p99", None)(_._1.p99, ""),
        figure("as a range", "p50", None)(_._2.p50, "_range"),
        figure("as a range", "p95", aim)(_._2.p95, "_range"),
        figure("as a range", "p99", None)(_._2.p99, "_range")
      )
  }
}

/** Asks a wheel for everything it ever took. */
final class LandmarkQuestioner(wheel: Wheel, val count: Int) extends Questioner {
  private val cells = Cells(wheel.schema, 1)

  def ask(q: Int): Long = {
    wheel.landmark(cells, 0)
    cells.longs(0)(0)
  }
}
