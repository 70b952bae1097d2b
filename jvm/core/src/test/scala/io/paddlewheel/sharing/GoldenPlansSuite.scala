package io.paddlewheel.sharing

import io.paddlewheel.sharing.Relation.{CoveredBy, PartitionedBy}
import org.scalatest.funsuite.AnyFunSuite

/** The numbers of the paper's examples, as design.md §8 lists them. */
class GoldenPlansSuite extends AnyFunSuite {

  private def tumbling(ranges: Long*): Vector[Hop] = ranges.map(Hop.tumbling).toVector

  private val models = Seq(Charge.EverySlide, Charge.FirstPeriod, Charge.Rolling).map(CostModel(1, _))

  for (relation <- Seq(PartitionedBy, CoveredBy); model <- models) {
    def cost(windows: Vector[Hop], factors: Long*): BigInt =
      SharingPlan.withFactors(windows, tumbling(factors: _*), relation, model).cost

    test(s"$relation, ${model.charge}: {10,20,30,40} costs 480, shared 150") {
      val windows = tumbling(10, 20, 30, 40)
      val plan = SharingPlan.best(windows, relation, model)
      assert(plan.period == 120 && plan.unshared == 480)
      assert(cost(windows) == 150 && plan.cost == 150 && plan.factors.isEmpty)
    }

    test(s"$relation, ${model.charge}: {20,30,40} costs 360, shared 246, with ⟨10,10⟩ 150") {
      val windows = tumbling(20, 30, 40)
      assert(cost(windows) == 246)
      assert(cost(windows, 10) == 150)
      assert(cost(windows, 5) == 174)
      assert(cost(windows, 2) == 246)
      for (
        plan <- Seq(
          SharingPlan.published(windows, relation, model),
          SharingPlan.best(windows, relation, model)
        )
      ) {
        assert(plan.unshared == 360 && plan.cost == 150 && plan.factors == tumbling(10))
      }
    }

    test(s"$relation, ${model.charge}: nothing is shared by {15,17,19}") {
      val plan = SharingPlan.best(tumbling(15, 17, 19), relation, model)
      assert(plan.unshared == 14535 && plan.cost == 14535 && plan.factors.isEmpty)
    }
  }

  test("the benefit of ⟨10,10⟩ for {20,30,40} is 96") {
    val windows = tumbling(20, 30, 40)
    val graph = CoverageGraph(windows, PartitionedBy, CostModel().over(windows))
    val planned = windows.filter(graph.cheapest(_).isEmpty)
    assert(FactorWindows.benefit(graph.prices, None, Hop.tumbling(10), planned) == 96)
    assert(FactorWindows.best(graph, None, planned).contains(Hop.tumbling(10)))
  }

  test("⟨10,2⟩ is covered by ⟨8,2⟩ with multiplier 2, not partitioned by it") {
    assert(CoveredBy.holds(Hop(10, 2), Hop(8, 2)))
    assert(Relation.multiplier(Hop(10, 2), Hop(8, 2)) == 2)
    assert(!PartitionedBy.holds(Hop(10, 2), Hop(8, 2)))
  }

  test("pairs of (range 10, slide 3) are (2, 1)") {
    assert(Slices.pairs(10, 3) == Pairs(2, 1))
    assert(Slices.pairs(12, 3) == Pairs(3, 0))
  }
}
