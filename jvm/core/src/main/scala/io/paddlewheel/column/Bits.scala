package io.paddlewheel.column

/** Bit sets kept in plain arrays of `long`. Spans are half-open. */
private[paddlewheel] object Bits {

  def words(bits: Int): Int = (bits + 63) >> 6

  /** The lowest `count` bits, for counts of 0 to 64. */
  def lowest(count: Int): Long = if (count == 64) -1L else (1L << count) - 1

  def any(words: Array[Long], begin: Int, end: Int): Boolean = {
    if (begin >= end) return false
    val first = begin >> 6
    val last = (end - 1) >> 6
    val head = -1L << begin
    val tail = -1L >>> -end
    if (first == last) (words(first) & head & tail) != 0
    else {
      if ((words(first) & head) != 0 || (words(last) & tail) != 0) return true
      var word = first + 1
      while (word < last) {
        if (words(word) != 0) return true
        word += 1
      }
      false
    }
  }

  /** The `count` (at most 64) bits from `begin` on, in the low end of the result. */
  def read(words: Array[Long], begin: Int, count: Int): Long = {
    if (count == 0) return 0L
    val word = begin >> 6
    val low = words(word) >>> begin
    val straddles = (begin & 63) + count > 64
    val bits = if (straddles) low | words(word + 1) << -begin else low
    bits & lowest(count)
  }

  /** Sets the `count` (at most 64) bits from `begin` on to the low bits of `bits`. */
  def write(words: Array[Long], begin: Int, count: Int, bits: Long): Unit = {
    if (count == 0) return
    val word = begin >> 6
    val mask = lowest(count)
    val value = bits & mask
    words(word) = words(word) & ~(mask << begin) | value << begin
    if ((begin & 63) + count > 64) words(word + 1) = words(word + 1) & ~(mask >>> -begin) | value >>> -begin
  }

  /** As `System.arraycopy`, for bits: overlapping spans of one array are allowed. */
  def copy(from: Array[Long], begin: Int, to: Array[Long], at: Int, count: Int): Unit = {
    val upwards = (from eq to) && at > begin
    var done = 0
    while (done < count) {
      val step = math.min(64, count - done)
      val offset = if (upwards) count - done - step else done
      write(to, at + offset, step, read(from, begin + offset, step))
      done += step
    }
  }
}
