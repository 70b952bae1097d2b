package io.paddlewheel.sharing

import io.paddlewheel.Checks
import io.paddlewheel.sharing.Relation.{CoveredBy, PartitionedBy}
import org.scalacheck.Gen
import org.scalacheck.Prop.forAllNoShrink
import org.scalacheck.rng.Seed
import org.scalatest.funsuite.AnyFunSuite

class FactorSearchSuite extends AnyFunSuite with Checks {
  import RandomSets._

  private val longest = 24L

  private def graph(windows: Vector[Hop], relation: Relation, model: CostModel): CoverageGraph =
    CoverageGraph(windows.distinct.sorted, relation, model.over(windows))

  private def everyFactor(windows: CoverageGraph): Vector[Hop] = for {
    range <- Vector.range(1L, longest + 1)
    slide <- Vector.range(1L, range + 1)
    factor = Hop(range, slide)
    if !windows.nodes.contains(factor) && windows.downstream(Some(factor)).nonEmpty
  } yield factor

  /** The cheapest that can be found from the plan's factor windows on, with every window there is as a candidate. */
  private def cheapest(windows: CoverageGraph, plan: SharingPlan): BigInt = {
    val selection = new Selection(windows, everyFactor(windows))
    selection.climb(plan.factors)
    selection.branchAndBound(maxBranches = 3000)
    windows.adding(selection.best).cost
  }

  check("no two factor windows of any kind beat the best plan of disjoint pieces") {
    forAllNoShrink(windows(most = 3, longest = 12), model) { (windows, model) =>
      val without = graph(windows, PartitionedBy, model)
      val cost = SharingPlan.best(windows, PartitionedBy, model).cost
      everyFactor(without).combinations(2).forall(factors => without.adding(factors).cost >= cost)
    }
  }

  check("of disjoint pieces small sets all get a plan that says it is optimal, and is") {
    forAllNoShrink(windows(most = 5, longest), model) { (windows, model) =>
      val plan = SharingPlan.best(windows, PartitionedBy, model)
      plan.optimal && cheapest(graph(windows, PartitionedBy, model), plan) == plan.cost
    }
  }

  for (charge <- charges)
    test(s"of pieces that may overlap hardly ever does a cheaper plan exist, charged $charge") {
      val model = CostModel(charge = charge)
      val sets =
        Iterator.iterate(Seed(1))(_.next).map(windows(most = 5, longest)(Gen.Parameters.default, _).get)
      val excess = sets.take(500).toVector.map { windows =>
        val plan = SharingPlan.best(windows, CoveredBy, model)
        (plan.cost.toDouble / cheapest(graph(windows, CoveredBy, model), plan).toDouble - 1) * 100
      }
      info(f"${excess.count(_ > 0)} of ${excess.size} plans can be bettered, by at most ${excess.max}%.2f %%")
      assert(excess.count(_ > 0) <= 5 && excess.max < 5)
    }

  test("windows of one range and slides of 2, 3 and 5 are instances of one that nobody asked for") {
    val windows = Seq(2, 3, 5).map(times => Hop(61 * 60, times * 60))
    val best = SharingPlan.best(windows, PartitionedBy)
    assert(best.factors == Vector(Hop.tumbling(60), Hop(61 * 60, 60)) && best.optimal)
    assert(windows.forall(best.step(_).pieces == 1))
  }

  test("one factor window for all serves {36,64,90,96} worse than two that share nothing") {
    val windows = Seq(36, 64, 90, 96).map(Hop.tumbling(_))
    val published = SharingPlan.published(windows, PartitionedBy)
    val best = SharingPlan.best(windows, PartitionedBy)
    assert(published.factors == Vector(Hop.tumbling(2)) && published.cost == 8640)
    assert(best.factors == Vector(Hop.tumbling(18), Hop.tumbling(32)) && best.cost == 6260 && best.optimal)
  }
}
