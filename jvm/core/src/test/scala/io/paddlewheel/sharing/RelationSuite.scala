package io.paddlewheel.sharing

import io.paddlewheel.{Checks, Refusal}
import io.paddlewheel.sharing.Relation.{CoveredBy, PartitionedBy}
import org.scalacheck.Prop.forAllNoShrink
import org.scalatest.funsuite.AnyFunSuite

class RelationSuite extends AnyFunSuite with Checks {
  import RandomSets._

  /** The slots of the instances of `over` that lie within the first few instances of `window`. */
  private def pieces(window: Hop, over: Hop): Seq[Seq[Set[Long]]] =
    (0L until 4L).map { m =>
      val start = m * window.slide
      val end = start + window.range
      (0L to end)
        .map(_ * over.slide)
        .filter(s => s >= start && s + over.range <= end)
        .map(s => (s until s + over.range).toSet)
    }

  private def slots(window: Hop): Seq[Set[Long]] =
    (0L until 4L).map(m => (m * window.slide until m * window.slide + window.range).toSet)

  check("covered is: the pieces within an instance make it up, as many as the multiplier says") {
    forAllNoShrink(window(20), window(20)) { (window, over) =>
      val within = pieces(window, over)
      val union = within.map(_.foldLeft(Set.empty[Long])(_ ++ _))
      if (CoveredBy.holds(window, over))
        union == slots(window) && within.forall(_.size == Relation.multiplier(window, over))
      else union != slots(window)
    }
  }

  check("partitioned is: covered, by pieces that do not overlap") {
    forAllNoShrink(window(20), window(20)) { (window, over) =>
      val disjoint =
        pieces(window, over).forall(p => p.map(_.size).sum == p.foldLeft(Set.empty[Long])(_ ++ _).size)
      PartitionedBy.holds(window, over) == (CoveredBy.holds(window, over) && disjoint)
    }
  }

  test("a slide of nothing, or longer than the range, is refused") {
    Seq((5L, 0L), (5L, 6L), (0L, 0L), (5L, -1L)).foreach { case (range, slide) =>
      assert(intercept[Refusal](Hop(range, slide)).condition == "WINDOW_SLIDE")
    }
  }
}
