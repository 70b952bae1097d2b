package io.paddlewheel.sharing

/** The window coverage graph: which windows may be computed from which, and for how much.
  *
  * The root, `None`, is the base slots; every window may be computed from it.
  *
  * @param nodes each once, in order
  */
private[sharing] final case class CoverageGraph(nodes: Vector[Hop], relation: Relation, prices: Prices) {

  def parents(window: Hop): Vector[Hop] = nodes.filter(p => p != window && relation.holds(window, p))

  def downstream(of: Option[Hop]): Vector[Hop] =
    of.fold(nodes)(parent => nodes.filter(w => w != parent && relation.holds(w, parent)))

  /** Algorithm 1: no choice of a parent touches another, so the cheapest parents together are the cheapest plan.
    * Among equals the root, which needs nothing else to be kept, then the longest.
    */
  lazy val cheapest: Map[Hop, Option[Hop]] = nodes.map(w => w -> cheapestParent(w)).toMap

  lazy val costs: Map[Hop, BigInt] = nodes.map(w => w -> prices.from(w, cheapest(w))).toMap

  lazy val cost: BigInt = costs.values.sum

  def adding(more: Seq[Hop]): CoverageGraph = copy(nodes = (nodes ++ more).distinct.sorted)

  /** The cost of the cheapest plan with one window more, which MUST be a new one. */
  def costWith(another: Hop): BigInt = {
    val saved = downstream(Some(another)).map(w => (costs(w) - prices.from(w, another)).max(0))
    cost + prices.from(another, cheapestParent(another)) - saved.sum
  }

  /** Leaves out, one by one, every window of `these` without which the plan costs no more. */
  def without(these: Seq[Hop]): CoverageGraph = {
    val smaller =
      these.filter(nodes.contains).map(f => copy(nodes = nodes.filter(_ != f))).filter(_.cost <= cost)
    if (smaller.isEmpty) this else smaller.minBy(_.cost).without(these)
  }

  private def cheapestParent(window: Hop): Option[Hop] =
    (None +: parents(window).reverse.map(Some(_))).minBy(prices.from(window, _))
}
