package io.paddlewheel.sharing

import scala.annotation.tailrec
import scala.collection.mutable

/** The little number theory that windows need. Arguments MUST be positive, save where said. */
private[sharing] object Divisors {

  /** Zero is the neutral element: `gcd(a, 0)` is `a`. */
  @tailrec
  def gcd(a: Long, b: Long): Long = if (b == 0) a else gcd(b, a % b)

  def gcd(numbers: Iterable[Long]): Long = numbers.foldLeft(0L)(gcd)

  /** A handful of coprime ranges already exceed a `Long`. */
  def lcm(numbers: Iterable[Long]): BigInt =
    numbers.foldLeft(BigInt(1))((multiple, n) => multiple / multiple.gcd(n) * n)

  /** The divisors, ascending. Prime factors are looked for below [[TrialLimit]] only; what is left counts as one
    * factor, so that a length of two large primes, which no window set is the better for, costs no time.
    */
  def of(n: Long): Vector[Long] = {
    val divisors = primeFactors(n).groupBy(identity).values.foldLeft(Vector(1L)) { (known, equal) =>
      val powers = equal.scanLeft(1L)(_ * _)
      known.flatMap(d => powers.map(_ * d))
    }
    divisors.sorted
  }

  private val TrialLimit = 1000L

  private def primeFactors(n: Long): Vector[Long] = {
    @tailrec
    def from(prime: Long, rest: Long, found: Vector[Long]): Vector[Long] =
      if (rest == 1) found
      else if (prime > TrialLimit || prime * prime > rest) found :+ rest
      else if (rest % prime == 0) from(prime, rest / prime, found :+ prime)
      else from(prime + 1, rest, found)
    from(2, n, Vector.empty)
  }

  /** The gcds of all non-empty subsets of `numbers`, the greatest first. Stops growing at `limit`. */
  def gcdClosure(numbers: Iterable[Long], limit: Int): Vector[Long] = {
    val closure = mutable.TreeSet.empty[Long](Ordering.Long.reverse)
    numbers.toVector.distinct.sorted(Ordering.Long.reverse).foreach { n =>
      if (closure.size < limit) closure ++= closure.toVector.map(gcd(_, n)) :+ n
    }
    closure.toVector
  }
}
