package io.paddlewheel.time

import java.util.Locale

import io.paddlewheel.Refusal

/** A unit of time as people write it: its singular, the length of one, and its short forms. */
private[time] final case class TimeUnit(name: String, one: Span, short: Set[String] = Set.empty) {

  def spelledAs(word: String): Boolean = word == name || word == name + "s" || short(word)

  def times(count: Long): String = if (count == 1) s"1 $name" else s"$count ${name}s"
}

private[time] object TimeUnit {

  val Microsecond: TimeUnit = TimeUnit("microsecond", Span(0, 0, 1), Set("us", "µs", "μs"))
  val Millisecond: TimeUnit = TimeUnit("millisecond", Span(0, 0, Micros.Milli), Set("ms"))
  val Second: TimeUnit = TimeUnit("second", Span(0, 0, Micros.Second), Set("s", "sec", "secs"))
  val Minute: TimeUnit = TimeUnit("minute", Span(0, 0, Micros.Minute), Set("min", "mins"))
  val Hour: TimeUnit = TimeUnit("hour", Span(0, 0, Micros.Hour), Set("h", "hr", "hrs"))
  val Day: TimeUnit = TimeUnit("day", Span(0, 1, 0), Set("d"))
  val Week: TimeUnit = TimeUnit("week", Span(0, 7, 0), Set("w"))
  val Month: TimeUnit = TimeUnit("month", Span(1, 0, 0))
  val Quarter: TimeUnit = TimeUnit("quarter", Span(3, 0, 0))
  val Year: TimeUnit = TimeUnit("year", Span(12, 0, 0), Set("y", "yr", "yrs"))

  private val belowDay = Seq(Hour, Minute, Second, Millisecond, Microsecond)
  private val all = belowDay.reverse ++ Seq(Day, Week, Month, Quarter, Year)

  /** The text of a number of microseconds in the largest unit below a day that divides it. */
  def showClock(micros: Long): String = {
    val unit = belowDay.find(micros % _.one.micros == 0).getOrElse(Microsecond)
    unit.times(micros / unit.one.micros)
  }

  /** The unit that a word of `text` names. `m` names none: minutes to one reader, it is months to the next.
    */
  def named(word: String, text: String): TimeUnit =
    all.find(_.spelledAs(word.toLowerCase(Locale.ROOT))).getOrElse {
      val known = all.map(_.name + "s").mkString(", ")
      throw new Refusal(
        "UNIT_UNKNOWN",
        s"'$text' has the unit '$word', which is not known. Use one of $known."
      )
    }
}
