package io.paddlewheel.sharing

import io.paddlewheel.Refusal

/** How a set of windows is computed, one from another, with factor windows that nobody asked for in between.
  *
  * A plan is data: equal sets of windows, in whatever order and with whatever repetition, give equal plans.
  *
  * @param windows  the windows asked for, each once
  * @param factors  the windows added because they make the others cheaper; every one of them has children
  * @param steps    windows and factor windows, parents before children
  * @param period   the slots that the costs are for
  * @param unshared what the windows cost when each is computed from the base slots
  * @param optimal  whether it is proven that no factor windows make the windows cheaper still; never so of pieces
  *                 that may overlap
  */
final case class SharingPlan(
    relation: Relation,
    windows: Vector[Hop],
    factors: Vector[Hop],
    steps: Vector[Step],
    period: BigInt,
    unshared: BigInt,
    optimal: Boolean
) {
  private val stepOf: Map[Hop, Step] = steps.map(s => s.window -> s).toMap

  def cost: BigInt = steps.map(_.cost).sum

  /** What the window runs on: a window of this plan that comes earlier, or the base slots. */
  def sliceOf(window: Hop): Hop = parent(window).getOrElse(Hop.slot)

  /** As [[sliceOf]], with the base slots told apart from a window ⟨1,1⟩. */
  def parent(window: Hop): Option[Hop] = step(window).parent

  def step(window: Hop): Step = stepOf.getOrElse(
    window,
    throw new Refusal(
      "WINDOW_NOT_PLANNED",
      s"The plan is for ${windows.mkString(", ")}, not for $window. Plan again with it."
    )
  )

  /** The plan as a tree, one window a line. */
  def show: String = {
    def subtree(parent: Option[Hop], indent: String): Vector[String] =
      steps.filter(_.parent == parent).flatMap { s =>
        val note = if (factors.contains(s.window)) " factor" else ""
        val line = s"$indent${s.window}$note: ${s.pieces} pieces, cost ${s.cost}"
        line +: subtree(Some(s.window), indent + "  ")
      }
    (s"slots ($relation): cost $cost of $unshared per $period slots" +: subtree(None, "  ")).mkString("\n")
  }
}

object SharingPlan {

  /** The cheapest plan known: the published one, or what a search among more factor windows finds. */
  def best(windows: Seq[Hop], relation: Relation, model: CostModel = CostModel()): SharingPlan = {
    val graph = coverage(windows, relation, model)
    val found = FactorSearch.run(graph)
    of(graph, found.factors, found.optimal)
  }

  /** With the factor windows that the published algorithms choose. */
  def published(windows: Seq[Hop], relation: Relation, model: CostModel = CostModel()): SharingPlan = {
    val graph = coverage(windows, relation, model)
    of(graph, FactorWindows.choose(graph), optimal = false)
  }

  /** With these factor windows, whether they help or not. Those that have no children are left out. */
  def withFactors(
      windows: Seq[Hop],
      factors: Seq[Hop],
      relation: Relation,
      model: CostModel = CostModel()
  ): SharingPlan = of(coverage(windows, relation, model), factors.toVector, optimal = false)

  private def coverage(windows: Seq[Hop], relation: Relation, model: CostModel): CoverageGraph = {
    val distinct = windows.distinct.sorted.toVector
    CoverageGraph(distinct, relation, model.over(distinct))
  }

  private def of(windows: CoverageGraph, factors: Vector[Hop], optimal: Boolean): SharingPlan = {
    val graph = windows.adding(factors)
    val parents = graph.cheapest.values.flatten.toSet
    val used = graph.nodes.filter(f => parents(f) && !windows.nodes.contains(f))
    if (used.size < graph.nodes.size - windows.nodes.size) of(windows, used, optimal)
    else
      SharingPlan(
        windows.relation,
        windows.nodes,
        used,
        graph.nodes.map(w => step(graph, w)),
        graph.prices.period,
        windows.nodes.map(graph.prices.fromSlots).sum,
        optimal
      )
  }

  private def step(graph: CoverageGraph, window: Hop): Step = {
    val parent = graph.cheapest(window)
    Step(
      window,
      parent,
      Relation.multiplier(window, parent.getOrElse(Hop.slot)),
      graph.prices.from(window, parent)
    )
  }
}
