package io.paddlewheel.sharing

import io.paddlewheel.{Checks, Refusal}
import io.paddlewheel.sharing.Relation.{CoveredBy, PartitionedBy}
import org.scalacheck.{Gen, Prop}
import org.scalacheck.Prop.forAllNoShrink
import org.scalatest.funsuite.AnyFunSuite

class SharingPlanSuite extends AnyFunSuite with Checks {
  import RandomSets._

  private val sets = windows(most = 7, longest = 60)

  check("best costs no more than published, which costs no more than without factor windows, or sharing") {
    forAllNoShrink(sets, relation, model) { (windows, relation, model) =>
      val best = SharingPlan.best(windows, relation, model)
      val published = SharingPlan.published(windows, relation, model)
      val plain = SharingPlan.withFactors(windows, Nil, relation, model)
      best.cost <= published.cost && published.cost <= plain.cost && plain.cost <= plain.unshared
    }
  }

  check("pieces that may overlap are never dearer than disjoint ones") {
    forAllNoShrink(sets, model) { (windows, model) =>
      SharingPlan.best(windows, CoveredBy, model).cost <= SharingPlan.best(windows, PartitionedBy, model).cost
    }
  }

  private def both(windows: Vector[Hop], relation: Relation, model: CostModel): Seq[SharingPlan] =
    Seq(SharingPlan.best(windows, relation, model), SharingPlan.published(windows, relation, model))

  check("a plan has a step for every window and factor window, once, and no factor window without children") {
    forAllNoShrink(sets, relation, model) { (windows, relation, model) =>
      both(windows, relation, model).forall { plan =>
        plan.windows == windows.distinct.sorted &&
        plan.steps.map(_.window).sorted == (plan.windows ++ plan.factors).sorted &&
        plan.factors.toSet.subsetOf(plan.steps.flatMap(_.parent).toSet -- windows)
      }
    }
  }

  check("every parent is legal and comes before its children") {
    forAllNoShrink(sets, relation, model) { (windows, relation, model) =>
      both(windows, relation, model).forall { plan =>
        val order = plan.steps.map(_.window)
        plan.steps.forall { step =>
          step.parent.forall(p =>
            relation.holds(step.window, p) && order.indexOf(p) < order.indexOf(step.window)
          )
        }
      }
    }
  }

  check("costs are instances times pieces, and the slots cost as many times more as they hold") {
    forAllNoShrink(sets, relation, Gen.choose(1L, 5L)) { (windows, relation, perSlot) =>
      both(windows, relation, CostModel(perSlot)).forall { plan =>
        plan.steps.forall { step =>
          val entries = if (step.parent.isEmpty) step.window.range * perSlot else step.pieces
          step.cost * step.window.slide == plan.period * entries
        }
      }
    }
  }

  private def computesItsWindows(relation: Relation, combine: (Long, Long) => Long): Prop = {
    val numbers = Gen.containerOfN[Vector, Long](200, Gen.choose(-1000L, 1000L))
    forAllNoShrink(windows(most = 6, longest = 40), numbers, model) { (windows, slots, model) =>
      both(windows, relation, model).forall { plan =>
        val rehearsal = new Rehearsal(plan, slots, combine)
        plan.steps.map(_.window).forall(w => rehearsal.viaPlan(w) == rehearsal.directly(w))
      }
    }
  }

  check("sums of disjoint pieces are those of the slots")(computesItsWindows(PartitionedBy, _ + _))

  check("maxima of overlapping pieces are those of the slots")(computesItsWindows(CoveredBy, math.max(_, _)))

  check("neither order nor repetition of the windows matters") {
    forAllNoShrink(sets, relation, Gen.long) { (windows, relation, seed) =>
      val shuffled = new scala.util.Random(seed).shuffle(windows ++ windows)
      SharingPlan.best(shuffled, relation) == SharingPlan.best(windows, relation)
    }
  }

  test("one window, and none") {
    relations.foreach { relation =>
      assert(
        SharingPlan.best(Seq(Hop.tumbling(7)), relation).steps == Vector(Step(Hop.tumbling(7), None, 7, 7))
      )
      val none = SharingPlan.best(Nil, relation)
      assert(none.steps.isEmpty && none.cost == 0 && none.unshared == 0)
      assert(none.show == s"slots ($relation): cost 0 of 0 per 1 slots")
    }
  }

  test("a single hopping window gets slices of its own where they pay") {
    val plan = SharingPlan.best(Seq(Hop(3600, 60)), PartitionedBy)
    assert(plan.factors == Vector(Hop.tumbling(60)) && plan.sliceOf(Hop(3600, 60)) == Hop.tumbling(60))
    assert(plan.unshared == 60 * 3600 && plan.cost == 3600 + 60 * 60)
  }

  test("the paper's count sees one instance of it, and no use for slices that make it 30 times cheaper") {
    val hour = Seq(Hop(3600, 60))
    assert(SharingPlan.best(hour, PartitionedBy, CostModel(charge = Charge.FirstPeriod)).factors.isEmpty)
    val (direct, sliced) =
      (SharingPlan.withFactors(hour, Nil, PartitionedBy), SharingPlan.best(hour, PartitionedBy))
    assert(direct.cost == 30 * sliced.cost)
  }

  test("a day that tumbles is every 24th instance of the day that slides by the hour") {
    val plan = SharingPlan.best(Seq(Hop(24, 1), Hop.tumbling(24)), PartitionedBy)
    assert(plan.step(Hop.tumbling(24)) == Step(Hop.tumbling(24), Some(Hop(24, 1)), 1, 1))
  }

  test("the window of one slot is not the base slots") {
    val plan = SharingPlan.best(Seq(Hop.slot, Hop.tumbling(7)), PartitionedBy, CostModel(perSlot = 10))
    assert(plan.parent(Hop.slot).isEmpty && plan.parent(Hop.tumbling(7)).contains(Hop.slot))
    assert(plan.cost == 70 + 7)
  }

  test("with many events per slot, slots of their own are a factor window even for coprime ranges") {
    val plan = SharingPlan.best(Seq(15, 17, 19).map(Hop.tumbling(_)), PartitionedBy, CostModel(perSlot = 10))
    assert(plan.factors == Vector(Hop.slot))
    assert(plan.unshared == 145350 && plan.cost == 4845 * 10 + 14535)
  }

  test("primes share nothing") {
    val primes = Vector(101, 103, 107, 109, 113, 127, 131, 137, 139, 149).map(Hop.tumbling(_))
    relations.foreach { relation =>
      val plan = SharingPlan.best(primes, relation)
      assert(plan.factors.isEmpty && plan.cost == plan.unshared && plan.unshared == plan.period * 10)
    }
  }

  test("a plan prints as a tree") {
    assert(
      SharingPlan.best(Seq(20, 30, 40).map(Hop.tumbling(_)), PartitionedBy).show ==
        """slots (partitioned by): cost 150 of 360 per 120 slots
          |  ⟨10,10⟩ factor: 10 pieces, cost 120
          |    ⟨20,20⟩: 2 pieces, cost 12
          |      ⟨40,40⟩: 2 pieces, cost 6
          |    ⟨30,30⟩: 3 pieces, cost 12""".stripMargin
    )
  }

  test("a window that is not of the plan is refused by name") {
    val refusal = intercept[Refusal](SharingPlan.best(Seq(Hop(4, 2)), PartitionedBy).sliceOf(Hop(6, 2)))
    assert(refusal.condition == "WINDOW_NOT_PLANNED" && refusal.getMessage.contains("⟨6,2⟩"))
  }
}
