package io.paddlewheel.window

import scala.util.{Failure, Success, Try}

import org.scalacheck.{Gen, Prop}
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.Checks

/** Random windows over random streams give out what their definition says, and nothing else. */
class WindowSuite extends AnyFunSuite with Checks {
  import Measure._

  private val exact: Seq[Measures] = Seq(
    Measures(Sum),
    Measures(NullableSum),
    Measures(Max, Min),
    Measures(Sum, Max),
    Measures(DoubleSum),
    Measures(MaxCount),
    Measures(TopThree)
  )

  private def agrees(schemas: Seq[Measures], emissions: Emission*): Prop =
    run(schemas, emissions, stored = false)

  private def run(schemas: Seq[Measures], emissions: Seq[Emission], stored: Boolean): Prop =
    Prop.forAllNoShrink(Gen.long) { seed =>
      Try(new Scenario(seed, schemas, emissions, stored).run()) match {
        case Success(None) => Prop.passed
        case Success(Some(fault)) => Prop.falsified :| fault
        case Failure(error) => Prop.falsified :| error.getStackTrace.take(12).mkString(s"$error\n", "\n", "")
      }
    }

  check("wheels that are mostly in a store", cases = 600) {
    run(exact, Seq(Emission.Every, Emission.Latest, Emission.Changed), stored = true)
  }
  check("sums, by differences", cases = 300)(agrees(Seq(Measures(Sum)), Emission.Every))
  check("sums that may be null", cases = 300)(agrees(Seq(Measures(NullableSum, Sum)), Emission.Every))
  check("extremes, from overlapping windows", cases = 300)(agrees(Seq(Measures(Max, Min)), Emission.Every))
  check("what has no inverse, from disjoint windows", cases = 300) {
    agrees(
      Seq(Measures(Sum, Max), Measures(DoubleSum), Measures(TopThree), Measures(MaxCount)),
      Emission.Every
    )
  }
  check("moments, up to rounding", cases = 300)(
    agrees(Seq(Measures(Moments)), Emission.Every, Emission.Latest)
  )
  check("the latest of each advance", cases = 300)(agrees(exact, Emission.Latest))
  check("those that changed", cases = 300)(agrees(exact, Emission.Changed))
}
