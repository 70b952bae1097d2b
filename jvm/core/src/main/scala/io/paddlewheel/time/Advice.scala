package io.paddlewheel.time

import java.time.ZoneId

/** Concrete remedies for levels that do not fit: which level to use instead, or to put in between. */
private[time] object Advice {

  // In the order of preference: whole units before parts of one.
  private val common: Seq[String] =
    Seq(
      "1 millisecond",
      "1 second",
      "1 minute",
      "1 hour",
      "1 day",
      "1 week",
      "1 month",
      "1 quarter",
      "1 year"
    ) ++
      Seq("50 microseconds", "100 microseconds", "10 milliseconds", "50 milliseconds", "100 milliseconds") ++
      Seq("30 seconds", "10 seconds", "15 seconds", "5 seconds") ++
      Seq("30 minutes", "10 minutes", "15 minutes", "5 minutes") ++
      Seq("12 hours", "6 hours", "8 hours", "4 hours", "3 hours", "2 hours") ++
      Seq("2 days", "7 days", "28 days", "364 days", "10 years", "50 years", "100 years")

  /** Which levels to put between two that nest, so that none of the steps is too wide. */
  def between(lower: Granularity, upper: Granularity, zone: ZoneId): String = {
    val known = candidates(zone) ++ divisors(lower, upper)
    path(Seq(Seq(lower)), upper, known.distinct.filter(g => g != lower && g != upper)) match {
      case Some(path) => s"Put ${path.tail.map(g => s"'${g.text}'").mkString(" and ")} between."
      case None => "No level fits between them; choose another length for one of the two."
    }
  }

  /** What to use in place of a level that does not nest in the one above it: the longest that does. */
  def insteadOf(lower: Granularity, upper: Granularity, zone: ZoneId): String =
    candidates(zone).filter(g => g.nominal < lower.nominal && nests(g, upper)).maxByOption(_.nominal) match {
      case Some(finer) => s"Use '${finer.text}' in place of '${lower.text}'."
      case None =>
        s"No common level nests in '$upper' in at most ${Levels.MaxFanOut} slots; leave one of the two out."
    }

  /** The shortest path of nesting levels, breadth first; of several, the one that `known` prefers. */
  @scala.annotation.tailrec
  private def path(
      paths: Seq[Seq[Granularity]],
      upper: Granularity,
      known: Seq[Granularity]
  ): Option[Seq[Granularity]] =
    if (paths.isEmpty) None
    else
      paths.find(path => nests(path.last, upper)) match {
        case found @ Some(_) => found
        case None =>
          val longer = for (path <- paths; next <- known if nests(path.last, next)) yield path :+ next
          val first = longer.distinctBy(_.last)
          path(first, upper, known.diff(first.map(_.last)))
      }

  private def nests(lower: Granularity, upper: Granularity): Boolean =
    lower.nominal < upper.nominal && Nesting.of(lower, upper).exists(_.fanOut <= Levels.MaxFanOut)

  private def candidates(zone: ZoneId): Seq[Granularity] = common.map(Granularity.parse(_, zone))

  /** For lengths that have no common level between them, such as 7 seconds and 7 hours. */
  private def divisors(lower: Granularity, upper: Granularity): Seq[Granularity] = (lower, upper) match {
    case (Fixed(size, _), Fixed(above, origin)) =>
      (Levels.MaxFanOut.toLong to 2 by -1)
        .filter(n => above / size % n == 0)
        .map(n => Fixed(size * n, origin))
    case _ => Seq.empty
  }
}
