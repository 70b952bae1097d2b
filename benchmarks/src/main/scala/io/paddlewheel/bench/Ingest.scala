package io.paddlewheel.bench

/** One event per second into a fresh wheel, with the watermark moved after every block. */
object Ingest extends Part {
  def name: String = "ingest"
  def title: String = "Taking in events"

  private val Runs = 7

  def measure(peer: Peer): Seq[Figure] = for {
    days <- Seq(1, 7)
    (order, disorder) <- Seq("in order" -> 0, "45 % out of order" -> 45)
    arrivals = Workload.arrivals(days, disorder)
    figure <- compare(peer, arrivals, days, order, disorder)
  } yield figure

  private def compare(
      peer: Peer,
      arrivals: Workload.Arrivals,
      days: Int,
      order: String,
      disorder: Int
  ): Seq[Figure] = {
    Intake.all.foreach(intake => WarmUp(fill(arrivals, intake)))
    val rounds = (0 until Latency.Rounds).map { _ =>
      val ours = Intake.all.map(intake => intake -> (0 until Runs).map(_ => fill(arrivals, intake))).toMap
      val answer = peer("ingest", "days" -> days, "disorder" -> disorder)
      ours.values.flatten.foreach(run =>
        same(s"$days days, $order", run._2.toString, answer.text("checksum"))
      )
      (ours, answer)
    }
    for {
      intake <- Intake.all
      (statistic, of) <- Seq[(String, Seq[Double] => Double)]("min" -> (_.min), "median" -> Latency.median)
    } yield Figure(
      s"${Workload.named(days)}, $order, ${intake.name}, $statistic",
      Latency.median(rounds.map { case (ours, _) => of(ours(intake).map(_._1)) }),
      Some(Latency.median(rounds.map(_._2.number(s"${statistic}_ns_per_event")))),
      "ns/event",
      Option.when(statistic == "median" && intake == Intake.Singly)(Target.AtMost(1.5))
    )
  }

  /** Nanoseconds per event, and what the wheel then holds. */
  private def fill(arrivals: Workload.Arrivals, intake: Intake): (Double, Long) = {
    val wheel = SumWheel.empty()
    val before = System.nanoTime()
    SumWheel.fill(wheel, arrivals, intake)
    val took = System.nanoTime() - before
    (took.toDouble / arrivals.count, SumWheel.total(wheel))
  }
}
