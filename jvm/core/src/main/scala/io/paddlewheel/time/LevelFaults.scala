package io.paddlewheel.time

import java.time.ZoneId

import io.paddlewheel.Refusal

/** What is wrong with a chain of levels, each fault named with its remedy. */
private[time] object LevelFaults {

  def of(levels: Seq[Level], zone: ZoneId): Seq[Refusal] = among(levels.map(Some(_)), zone)

  /** As `of`; a level that could not be read is `None` and takes no part. */
  def among(levels: Seq[Option[Level]], zone: ZoneId): Seq[Refusal] =
    if (levels.isEmpty)
      Seq(new Refusal("LEVELS_EMPTY", "There are no levels. Give at least one, such as '1 second'."))
    else
      levels.indices.flatMap { i =>
        val above = levels.lift(i + 1)
        levels(i).toSeq.flatMap { level =>
          foreign(level.granularity, zone) ++
            above.flatten.flatMap(a => misfit(level.granularity, a.granularity, zone)) ++
            (if (above.contains(None)) None else tooShort(level, above.flatten))
        }
      }

  private def foreign(granularity: Granularity, zone: ZoneId): Option[Refusal] = {
    val own = granularity match {
      case Days(_, _, other) => other
      case Months(_, other) => other
      case _: Fixed => zone
    }
    Option.when(own != zone)(
      new Refusal(
        "LEVEL_IN_ANOTHER_ZONE",
        s"The level '$granularity' is in another time zone than the spec, which is in $zone. Give all levels one zone."
      )
    )
  }

  private def misfit(lower: Granularity, upper: Granularity, zone: ZoneId): Option[Refusal] =
    if (lower == upper)
      Some(new Refusal("LEVEL_REPEATED", s"The level '$lower' is given twice. Leave one out."))
    else if (upper.nominal < lower.nominal)
      Some(
        new Refusal(
          "LEVELS_NOT_ASCENDING",
          s"The level '$upper' follows '$lower', which is longer. Order the levels from the finest to the coarsest."
        )
      )
    else
      Nesting.of(lower, upper) match {
        case Left(Nesting.OtherZone) => None // named by `foreign`
        case Left(Nesting.NotAMultiple) =>
          Some(
            new Refusal(
              "LEVEL_NOT_A_MULTIPLE",
              s"The slots of '$upper' are not made of whole slots of '$lower'. ${Advice.insteadOf(lower, upper, zone)}"
            )
          )
        case Left(Nesting.OffGrid) =>
          Some(
            new Refusal(
              "LEVEL_NOT_ALIGNED",
              s"'$upper' starts inside of slots of '$lower', because slots below a day are aligned to UTC and the offset of " +
                s"$zone is not a multiple of them. ${Advice.insteadOf(lower, upper, zone)}"
            )
          )
        case Right(nesting) =>
          Option.when(nesting.fanOut > Levels.MaxFanOut)(
            new Refusal(
              "FAN_OUT_TOO_WIDE",
              s"'$upper' has ${nesting.fanOut} slots of '$lower', and ${Levels.MaxFanOut} is the most. " +
                Advice.between(lower, upper, zone)
            )
          )
      }

  private def tooShort(level: Level, above: Option[Level]): Option[Refusal] = {
    val rotation = above.getOrElse(level).granularity
    level.retention.filter(_.nominal < shortest(rotation)).map { retention =>
      val unit = if (above.isEmpty) "slot" else "rotation"
      new Refusal(
        "RETENTION_TOO_SHORT",
        s"The level '${level.granularity}' is retained for '$retention', which is shorter than one $unit of it, '$rotation'. " +
          "Retain it for at least that long."
      )
    }
  }

  /** '30 days' may be asked of days under months, and '365 days' of months under years. */
  private def shortest(granularity: Granularity): Long = granularity match {
    case months: Months =>
      (0L until 48L).map(n => months.firstDay(n + 1) - months.firstDay(n)).min * Micros.Day
    case other => other.nominal
  }
}
