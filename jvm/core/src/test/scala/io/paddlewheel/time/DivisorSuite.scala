package io.paddlewheel.time

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class DivisorSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val numbers = Gen.oneOf(
    Gen.long,
    Gen.choose(-100L, 100L),
    Gen.choose(0, 63).flatMap(bits => Gen.choose(-3L, 3L).map((1L << bits) + _)),
    Gen.choose(-3L, 3L).map(Long.MaxValue + _)
  )

  test("it is Math.floorDiv for every dividend and positive divisor") {
    forAll(numbers, numbers, minSuccessful(20000)) { (dividend: Long, number: Long) =>
      val by = math.max(1L, number & Long.MaxValue)
      assert(new Divisor(by).floor(dividend) == Math.floorDiv(dividend, by))
    }
  }

  test("multiples and their neighbours, for the divisors that levels have") {
    val sizes =
      (1L to 64L) ++ Seq(Micros.Milli, Micros.Second, Micros.Minute, Micros.Hour, Micros.Day, 7 * Micros.Day)
    for (
      by <- sizes; k <- Seq(-(1L << 40), -7L, -1L, 0L, 1L, 7L, 1L << 40, Long.MaxValue / by);
      near <- -1L to 1L
    ) {
      val dividend = k * by + near
      assert(new Divisor(by).floor(dividend) == Math.floorDiv(dividend, by), s"$dividend / $by")
    }
  }
}
