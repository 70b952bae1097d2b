package io.paddlewheel.sharing

import io.paddlewheel.{Checks, Refusal}
import org.scalacheck.Prop.forAllNoShrink
import org.scalatest.funsuite.AnyFunSuite

class SlicesSuite extends AnyFunSuite with Checks {
  import RandomSets._

  check("edges of pairs are the starts and ends of windows, and nothing else") {
    forAllNoShrink(window(50)) { window =>
      val perSlide = Slices.pairs(window.range, window.slide).inOrder
      val horizon = 4 * window.range
      val edges = Iterator
        .continually(perSlide)
        .flatten
        .scanLeft(0L)(_ + _)
        .dropWhile(_ < window.range)
        .takeWhile(_ < horizon)
      val starts = (0L to horizon by window.slide).toSet
      val bounds = starts ++ starts.map(_ + window.range)
      edges.toSet == bounds.filter(b => b >= window.range && b < horizon)
    }
  }

  test("the common slice of ⟨10,4⟩ and ⟨6,6⟩ is ⟨2,2⟩") {
    assert(Slices.common(Seq(Hop(10, 4), Hop(6, 6))) == Hop.tumbling(2))
  }

  check("the common slice is the longest that cuts every window at its bounds") {
    forAllNoShrink(windows(most = 5, longest = 60)) { windows =>
      val cuts = (1L to 60L).filter(c => windows.forall(w => w.range % c == 0 && w.slide % c == 0))
      Slices.common(windows) == Hop.tumbling(cuts.max)
    }
  }

  test("no windows have no common slice") {
    assert(intercept[Refusal](Slices.common(Nil)).condition == "NO_WINDOWS")
  }
}
