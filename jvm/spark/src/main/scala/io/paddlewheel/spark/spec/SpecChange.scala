package io.paddlewheel.spark.spec

import java.time.{ZoneId, ZoneOffset}

import scala.util.Try

import io.paddlewheel.time.{Granularity, Micros, Span}

/** What a query that is started again may change of its spec.
  *
  * Windows, lateness and emission are free, and retention may grow. The rest decides what the slots in the
  * checkpoint mean, and must stay as it is.
  */
object SpecChange {

  /** All that keeps `next` from going on where `stored` left off. */
  def faults(stored: WheelSpec, next: WheelSpec): Seq[Fault] = {
    val zone = zoneOf(stored.timeZone)
    changed("keys", list(stored.keys), list(next.keys)).toSeq ++
      changed("time", quoted(stored.time), quoted(next.time)) ++
      zoneFault(stored.timeZone, next.timeZone) ++
      levelFaults(stored.levels, next.levels, zone) ++
      aggregateFaults(stored.aggregates, next.aggregates)
  }

  private type LevelTexts = Seq[(String, Option[String])]

  private def levelFaults(stored: LevelTexts, next: LevelTexts, zone: ZoneId): Seq[Fault] = {
    def grids(levels: LevelTexts) = levels.map { case (text, _) =>
      Try(Granularity.parse(text, zone)).toOption.toRight(text)
    }
    if (grids(stored) != grids(next))
      Seq(refused("levels", list(stored.map(_._1)), list(next.map(_._1))))
    else
      stored.zip(next).collect {
        case ((_, before), (level, Some(after))) if !before.exists(sameOrLonger(_, after, zone)) =>
          val kept = before.fold("for ever")(text => s"for '$text'")
          Fault(
            s"levels.$level",
            "RETENTION_SHORTENED",
            s"The level '$level' is retained $kept in the checkpoint, and the spec says '$after', which is shorter. " +
              s"Retain it $kept or longer, or start a new checkpoint."
          )
      }
  }

  /** Whatever the season: a month may be shorter than 30 days. */
  private def sameOrLonger(before: String, after: String, zone: ZoneId): Boolean = {
    val spans = for (a <- Try(Span.parse(before)); b <- Try(Span.parse(after))) yield (a, b)
    spans.fold(
      _ => before == after,
      { case (a, b) => fourYears.forall(day => b.before(day, zone) <= a.before(day, zone)) }
    )
  }

  /** All lengths of months and changes of clocks are in them: 2024 to 2028. */
  private val fourYears: Seq[Long] = (19723L to 21184L).map(_ * Micros.Day)

  private def aggregateFaults(stored: Seq[(String, String)], next: Seq[(String, String)]): Seq[Fault] = {
    val (before, after) = (stored.toMap, next.toMap)
    val names = (stored ++ next).map(_._1).distinct
    val each = names.flatMap { name =>
      (before.get(name), after.get(name)) match {
        case (Some(a), Some(b)) => changed(s"aggregates.$name", quoted(a.trim), quoted(b.trim))
        case (a, b) => Some(refused(s"aggregates.$name", quotedOrNone(a), quotedOrNone(b)))
      }
    }
    if (each.nonEmpty) each
    else changed("aggregates", list(stored.map(_._1)), list(next.map(_._1))).toSeq
  }

  private def changed(field: String, before: String, after: String): Option[Fault] =
    Option.when(before != after)(refused(field, before, after))

  private def refused(field: String, before: String, after: String): Fault =
    Fault(
      field,
      "SPEC_CHANGED",
      s"'$field' is $before in the checkpoint, and the spec says $after. " +
        "Put the old value back, or start a new checkpoint."
    )

  private def quoted(text: String): String = s"'$text'"

  private def quotedOrNone(text: Option[String]): String = text.fold("missing")(quoted)

  private def list(names: Seq[String]): String = names.map(quoted).mkString("[", ", ", "]")

  /** Two names of zones that always show the same time are as good as one. */
  private def zoneFault(before: String, after: String): Option[Fault] = {
    val same =
      before == after || Try(ZoneId.of(before).getRules == ZoneId.of(after).getRules).getOrElse(false)
    Option.unless(same)(refused("time_zone", quoted(before), quoted(after)))
  }

  private def zoneOf(text: String): ZoneId = Try(ZoneId.of(text)).getOrElse(ZoneOffset.UTC)
}
