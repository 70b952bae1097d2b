package io.paddlewheel.time

/** Division by a positive number that is known beforehand: `Math.floorDiv` as one multiplication.
  *
  * For `by` in `(2^(l-1), 2^l]` the factor is `ceil(2^(63+l) / by)`, which lies in `[2^63, 2^64)`: of a dividend below
  * 2^63 its product's high bits are the quotient exactly (Granlund and Montgomery, 1994). It is kept less 2^64, to fit
  * in a `Long`. A negative dividend x has the floor of the complement: `floor(x / by) == ~floor(~x / by)`.
  */
private[paddlewheel] final class Divisor(by: Long) extends Serializable {
  private val bits = math.max(1, 64 - java.lang.Long.numberOfLeadingZeros(by - 1))
  private val factor: Long = (((BigInt(1) << (63 + bits)) + by - 1) / by - (BigInt(1) << 64)).toLong
  private val shift = bits - 1

  def floor(dividend: Long): Long = {
    val sign = dividend >> 63
    val x = dividend ^ sign
    ((Math.multiplyHigh(x, factor) + x) >>> shift) ^ sign
  }
}
