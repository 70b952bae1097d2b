package io.paddlewheel.time

import java.time.ZoneId

import scala.annotation.tailrec

/** Remedies for levels that do not fit: which one to use instead, or to put in between. */
private[time] final class Advice(zone: ZoneId) {

  private val common = Advice.common.map(Granularity.parse(_, zone))

  /** Which levels to put between two that nest, so that none of the steps is too wide. */
  def between(lower: Granularity, upper: Granularity): String =
    path(Seq(Seq(lower)), upper, (common ++ divisors(lower, upper)).distinct) match {
      case Some(path) => s"Put ${path.tail.map(quote).mkString(" and ")} between."
      case None => "No level fits between them; choose another length for one of the two."
    }

  /** What to use in place of one of two that do not nest: the nearest in length that does.
    *
    * Months cannot lie in days, nor a zone's days in hours. Then it is the upper one that has to give way.
    */
  def instead(lower: Granularity, upper: Granularity): String = {
    val (old, fits) =
      if (rank(lower) > rank(upper)) (upper, common.filter(nests(lower, _)))
      else (lower, common.filter(finer => finer.nominal <= lower.nominal && nests(finer, upper)))
    fits.minByOption(fit => math.abs(fit.nominal - old.nominal)) match {
      case Some(fit) => s"Use ${quote(fit)} in place of ${quote(old)}."
      case None => s"No usual level fits in place of ${quote(old)}; leave one of the two out."
    }
  }

  /** The shortest path of nesting levels, breadth first; of several, the one that comes first in `known`. */
  @tailrec
  private def path(
      paths: Seq[Seq[Granularity]],
      upper: Granularity,
      known: Seq[Granularity]
  ): Option[Seq[Granularity]] =
    if (paths.isEmpty) None
    else
      paths.find(path => nests(path.last, upper)) match {
        case None =>
          val longer = for (path <- paths; next <- known if nests(path.last, next)) yield path :+ next
          val first = longer.distinctBy(_.last)
          path(first, upper, known.diff(first.map(_.last)))
        case found => found
      }

  private def nests(lower: Granularity, upper: Granularity): Boolean =
    lower.nominal < upper.nominal && Nesting.of(lower, upper).exists(_.fanOut <= Levels.MaxFanOut)

  /** For lengths that have no common level between them, such as 7 seconds and 7 hours. */
  private def divisors(lower: Granularity, upper: Granularity): Seq[Granularity] = (lower, upper) match {
    case (Fixed(size, _), Fixed(above, origin)) =>
      (Levels.MaxFanOut.toLong to 2 by -1).filter(above / size % _ == 0).map(n => Fixed(size * n, origin))
    case _ => Seq.empty
  }

  private def rank(granularity: Granularity): Int = granularity match {
    case _: Fixed => 0
    case _: Days => 1
    case _: Months => 2
  }

  private def quote(granularity: Granularity): String = s"'${granularity.text(zone)}'"
}

private[time] object Advice {

  /** Levels that people use, in the order of preference: whole units before parts and multiples of one. */
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
      Seq("30 seconds", "10 seconds", "15 seconds", "5 seconds", "2 seconds") ++
      Seq("30 minutes", "10 minutes", "15 minutes", "5 minutes", "2 minutes") ++
      Seq("12 hours", "6 hours", "8 hours", "4 hours", "3 hours", "2 hours") ++
      Seq("2 days", "7 days", "28 days", "364 days", "10 years", "50 years", "100 years")
}
