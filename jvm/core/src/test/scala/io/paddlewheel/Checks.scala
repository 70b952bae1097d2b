package io.paddlewheel

import org.scalacheck.{Prop, Test}
import org.scalacheck.rng.Seed
import org.scalacheck.util.Pretty
import org.scalatest.funsuite.AnyFunSuite

/** Runs ScalaCheck properties as tests. A failure names its seed and how to run it again.
  *
  * `paddlewheel.seed` sets the seed, `paddlewheel.cases` the number of cases (1000 unless the test says otherwise).
  */
trait Checks { suite: AnyFunSuite =>

  protected def check(name: String, cases: Int = 1000)(prop: => Prop): Unit = test(name) {
    val seed = sys.props.get("paddlewheel.seed").fold(Seed.random())(Seed.fromBase64(_).get)
    val wanted = sys.props.get("paddlewheel.cases").fold(cases)(_.toInt)
    val parameters = Test.Parameters.default.withMinSuccessfulTests(wanted).withInitialSeed(seed)
    val result = Test.check(parameters, prop)
    if (!result.passed) {
      val rerun =
        s"JAVA_TOOL_OPTIONS=-Dpaddlewheel.seed=${seed.toBase64} sbt 'core/testOnly ${suite.getClass.getName}'"
      fail(s"${Pretty.pretty(result)}\nseed ${seed.toBase64}, run again with:\n  $rerun")
    }
  }
}
