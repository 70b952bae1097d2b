package io.paddlewheel.sharing

import io.paddlewheel.Checks
import io.paddlewheel.sharing.Relation.PartitionedBy
import org.scalacheck.Prop.forAllNoShrink
import org.scalatest.funsuite.AnyFunSuite

class FactorWindowsSuite extends AnyFunSuite with Checks {
  import RandomSets._

  private val longest = 24L

  /** Disjoint pieces tumble; the paper knows no others. */
  private def every(relation: Relation): Vector[Hop] = for {
    range <- Vector.range(1L, longest + 1)
    slide <- if (relation == PartitionedBy) Vector(range) else Vector.range(1L, range + 1)
  } yield Hop(range, slide)

  check("the candidates between a window and its downstream windows include the one of greatest benefit") {
    forAllNoShrink(windows(most = 4, longest), relation, model) { (any, relation, model) =>
      val slidesDivide = any.map(w => Hop(w.range, w.grain)).distinct.sorted
      val graph = CoverageGraph(slidesDivide, relation, model.over(slidesDivide))
      val targets = None +: graph.nodes.map(Some(_))
      targets.filter(graph.downstream(_).nonEmpty).forall { target =>
        val downstream = graph.downstream(target)
        val legal = every(relation).filter { f =>
          target.forall(relation.holds(f, _)) && downstream.forall(relation.holds(_, f))
        }
        def greatest(factors: Vector[Hop]): Option[BigInt] =
          factors.map(FactorWindows.benefit(graph.prices, target, _, downstream)).maxOption
        val tried = FactorWindows.between(relation, target.getOrElse(Hop.slot), downstream)
        greatest(tried.filter(legal.contains)) == greatest(legal)
      }
    }
  }
}
