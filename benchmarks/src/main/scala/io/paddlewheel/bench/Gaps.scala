package io.paddlewheel.bench

import io.paddlewheel.time.Micros

/** Advancing a wheel that holds a day over time in which nothing happened. */
object Gaps extends Part {
  def name: String = "gaps"
  def title: String = "Advancing over an empty stretch"

  private val Runs = 31

  def measure(peer: Peer): Seq[Figure] = {
    val arrivals = Workload.arrivals(1, 0)
    val total = Workload.values(Workload.DaySeconds).sum
    val gaps = Seq("minute" -> Micros.Minute, "day" -> Micros.Day, "year" -> 365 * Micros.Day)
    gaps.foreach { case (_, gap) => WarmUp(advance(arrivals, gap, total)) }
    val rounds = (0 until Latency.Rounds).map { _ =>
      val ours = gaps.map { case (_, gap) =>
        Latency.median((0 until Runs).map(_ => advance(arrivals, gap, total)))
      }
      (ours, peer("gaps"))
    }
    gaps.indices.map { at =>
      val length = gaps(at)._1
      Figure(
        s"an empty $length",
        Latency.median(rounds.map(_._1(at))),
        Some(Latency.median(rounds.map(_._2.number(s"${length}_ns")))),
        "ns",
        Some(Target.AtMost(1.0)),
        Option.when(length == "year")("The peer drops old slots here, its default; we keep all of them.")
      )
    }
  }

  private def advance(arrivals: Workload.Arrivals, gap: Long, total: Long): Double = {
    val wheel = SumWheel.empty()
    SumWheel.fill(wheel, arrivals)
    val to = wheel.watermark + gap
    val before = System.nanoTime()
    wheel.advance(to)
    val took = System.nanoTime() - before
    same(
      "the watermark and total after a gap",
      (wheel.watermark, SumWheel.total(wheel)),
      (to, total)
    )
    took.toDouble
  }
}
