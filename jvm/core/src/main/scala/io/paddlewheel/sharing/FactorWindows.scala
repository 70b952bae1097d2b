package io.paddlewheel.sharing

/** The published planner: for each window of the coverage graph, the one factor window that helps its downstream
  * windows most (Wu, Bernstein, Raizman, Pavlopoulou: Factor Windows, Algorithms 2 to 5).
  *
  * Downstream may be read as all windows that could be computed from a window, or as those that are, in the cheapest
  * plan without factor windows. Both are tried, and the cheaper outcome is taken.
  */
private[sharing] object FactorWindows {

  /** The factor windows to add to `windows`, all of them useful. */
  def choose(windows: CoverageGraph): Vector[Hop] = {
    val possible = onePerTarget(windows, windows.downstream)
    val planned = onePerTarget(windows, parent => windows.nodes.filter(windows.cheapest(_) == parent))
    val better = if (possible.cost <= planned.cost) possible else planned
    better.nodes.filterNot(windows.nodes.contains)
  }

  private def onePerTarget(windows: CoverageGraph, downstream: Option[Hop] => Vector[Hop]): CoverageGraph = {
    val targets = None +: windows.nodes.map(Some(_))
    val factors = targets.flatMap(target => best(windows, target, downstream(target)))
    windows.adding(factors).without(factors)
  }

  /** The factor window between `target` and its `downstream` windows that saves most, if one saves anything. */
  def best(graph: CoverageGraph, target: Option[Hop], downstream: Vector[Hop]): Option[Hop] =
    between(graph.relation, target.getOrElse(Hop.slot), downstream)
      .filter(f => !graph.nodes.contains(f) && target.forall(graph.relation.holds(f, _)))
      .map(f => f -> benefit(graph.prices, target, f, downstream))
      .filter(_._2 > 0)
      .maxByOption(_._2)
      .map(_._1)

  /** What the downstream windows cost from `target`, less what they cost through `factor`, itself included. */
  def benefit(prices: Prices, target: Option[Hop], factor: Hop, downstream: Vector[Hop]): BigInt = {
    val direct = downstream.map(prices.from(_, target)).sum
    val through = downstream.map(prices.from(_, factor)).sum
    direct - through - prices.from(factor, target)
  }

  /** Candidates, among them the one with the greatest benefit. */
  def between(relation: Relation, target: Hop, downstream: Vector[Hop]): Vector[Hop] =
    if (downstream.isEmpty) Vector.empty
    else
      relation match {
        case Relation.PartitionedBy => Vector(greatest(downstream))
        case Relation.CoveredBy => shortestAndLongest(target, downstream)
      }

  /** Every common divisor of ranges and slides would do, but a tumbling window costs the same from a given parent
    * whatever its length, and serves the better the longer it is. So no other need be tried.
    */
  private def greatest(downstream: Vector[Hop]): Hop = Hop.tumbling(Divisors.gcd(downstream.map(_.grain)))

  /** For each slide that the downstream windows allow, the shortest range and the longest. The benefit is a convex
    * function of the range (where slides divide ranges), so none between them is better than both.
    */
  private def shortestAndLongest(target: Hop, downstream: Vector[Hop]): Vector[Hop] = {
    val longest = downstream.map(_.range).min
    val step = Divisors.gcd(downstream.map(_.slide) ++ downstream.map(_.range - longest))
    for {
      slide <- Divisors.of(step) if slide % target.slide == 0 && slide <= longest
      shortest = longest - (longest - math.max(target.range, slide)) / slide * slide
      range <- Vector(shortest, longest).distinct
    } yield Hop(range, slide)
  }
}
