package io.paddlewheel.sharing

import org.scalatest.funsuite.AnyFunSuite

class ComparisonSuite extends AnyFunSuite {

  for (charge <- RandomSets.charges)
    test(s"the best plan never loses to the published one and often wins, charged $charge") {
      val comparisons = Comparison.run(seed = 20, sets = 150, CostModel(charge = charge))
      comparisons.foreach(c => info(c.show))
      assert(
        comparisons
          .forall(c => c.gains.size == c.sets && c.gains.forall(_ >= 0) && c.bestLeft <= c.publishedLeft)
      )
      assert(comparisons.forall(_.wins > 0))
    }

  test("a comparison can be repeated") {
    assert(Comparison.run(seed = 7, sets = 20) == Comparison.run(seed = 7, sets = 20))
  }
}
