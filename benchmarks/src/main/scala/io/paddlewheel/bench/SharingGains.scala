package io.paddlewheel.bench

import io.paddlewheel.sharing.{Comparison, Hop, Relation, SharingPlan}

/** What windows cost when they are computed one from another: our plans against those of the published algorithm. */
object SharingGains extends Part {
  def name: String = "sharing"
  def title: String = "Windows computed from windows: the best plan against the published one"

  private val Sets = 1000

  def measure(peer: Peer): Seq[Figure] = golden ++ Comparison.run(seed = 20, Sets).flatMap { found =>
    val kind = s"${found.kind}, ${found.relation}"
    Seq(
      Figure(
        s"$kind, mean cost",
        found.bestLeft,
        Some(found.publishedLeft),
        "% of unshared",
        Some(Target.AtMost(1.0))
      ),
      Figure(s"$kind, sets that are cheaper", found.wins * 100.0 / found.sets, None, "%"),
      Figure(s"$kind, mean gain where cheaper", found.meanGainOfWins, None, "%"),
      Figure(
        s"$kind, largest gain",
        found.maxGain,
        None,
        "%",
        note = Some(found.widest.mkString(" "))
      )
    )
  }

  private def golden: Seq[Figure] =
    Seq(Seq(10L, 20L, 30L, 40L) -> 150, Seq(20L, 30L, 40L) -> 150, Seq(15L, 17L, 19L) -> 14535).map {
      case (ranges, expected) =>
        val windows = ranges.map(Hop.tumbling)
        val published = SharingPlan.published(windows, Relation.PartitionedBy).cost
        val best = SharingPlan.best(windows, Relation.PartitionedBy).cost
        same(s"the paper's cost of ${windows.mkString(" ")}", published, BigInt(expected))
        Figure(
          s"cost of ${windows.mkString(" ")}",
          best.toDouble,
          Some(published.toDouble),
          "slots",
          Some(Target.AtMost(1.0))
        )
    }
}
