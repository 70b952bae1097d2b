package io.paddlewheel.time

import io.paddlewheel.Refusal

/** A counted unit, `15 minutes`: the atom of the text of granularities and spans. The count is positive. */
private[time] final case class Amount(count: Long, unit: TimeUnit)

private[time] object Amount {

  private val One = """([+-]?\d+)\s*(\p{L}+)""".r
  private val Many = s"""\\s*(?:$One[\\s,]*)+""".r

  /** The amounts of a text such as `1 day 12 hours`, in its order. At least one. */
  def parse(text: String): Seq[Amount] = text match {
    case Many(_*) => One.findAllMatchIn(text).map(m => read(m.group(1), m.group(2), text)).toVector
    case _ =>
      throw new Refusal(
        "DURATION_UNREADABLE",
        s"'$text' is not a length of time. Write a whole number and a unit, such as '15 minutes'."
      )
  }

  private def read(digits: String, word: String, text: String): Amount = {
    val unit = TimeUnit.named(word, text)
    val count = BigInt(digits)
    if (count <= 0) throw notPositive(text)
    if (!count.isValidLong) throw tooLarge(text, "a count that fits in 64 bits")
    Amount(count.toLong, unit)
  }

  def notPositive(text: String): Refusal =
    new Refusal("AMOUNT_NOT_POSITIVE", s"'$text' is not longer than nothing. Use a count of 1 or more.")

  def tooLarge(text: String, most: String): Refusal =
    new Refusal("AMOUNT_TOO_LARGE", s"'$text' is longer than can be counted. Use at most $most.")
}
