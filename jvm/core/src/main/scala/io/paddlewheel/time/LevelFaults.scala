package io.paddlewheel.time

import java.time.ZoneId

import io.paddlewheel.Refusal

/** What is wrong with levels in a zone, each fault named with its remedy. */
private[time] final class LevelFaults(zone: ZoneId) {

  /** A level that could not be read is `None`, and takes no part. */
  def of(levels: Seq[Option[Level]]): Seq[Refusal] =
    if (levels.isEmpty)
      Seq(new Refusal("LEVELS_EMPTY", "There are no levels. Give at least one, such as '1 second'."))
    else {
      // Beside each level the one above it, if there is one and it could be read.
      val pairs = levels.zip(levels.drop(1).map(Some(_)) :+ None)
      pairs.flatMap {
        case (Some(level), None) => alone(level) ++ tooShort(level, level.granularity, "slot")
        case (Some(level), Some(None)) => alone(level)
        case (Some(level), Some(Some(above))) =>
          alone(level) ++ under(level, above.granularity) ++ outlived(level, above)
        case (None, _) => Seq.empty
      }
    }

  private def alone(level: Level): Seq[Refusal] = foreign(level.granularity).toSeq

  private def under(level: Level, above: Granularity): Seq[Refusal] =
    misfit(level.granularity, above).toSeq ++ tooShort(level, above, "rotation")

  private def foreign(granularity: Granularity): Option[Refusal] = {
    val own = granularity match {
      case Days(_, _, other) => other
      case Months(_, other) => other
      case _: Fixed => zone
    }
    Option.unless(WallClock.same(own, zone))(
      new Refusal(
        "LEVEL_IN_ANOTHER_ZONE",
        s"The level '$granularity' is in another time zone than the spec, $zone. Give all levels one zone."
      )
    )
  }

  private def misfit(lower: Granularity, upper: Granularity): Option[Refusal] = {
    val (below, above) = (lower.text(zone), upper.text(zone))
    def refuse(condition: String, message: String) = Some(new Refusal(condition, message))

    if (upper.nominal < lower.nominal)
      refuse(
        "LEVELS_NOT_ASCENDING",
        s"The level '$above' follows '$below', which is longer. Order the levels from fine to coarse."
      )
    else
      Nesting.of(lower, upper) match {
        case Left(Nesting.OtherZone) => None // named by `foreign`
        case Left(Nesting.NotAMultiple) =>
          refuse(
            "LEVEL_NOT_A_MULTIPLE",
            s"A slot of '$above' is not made of whole slots of '$below'. " +
              new Advice(zone).instead(lower, upper)
          )
        case Left(Nesting.OffGrid) =>
          refuse(
            "LEVEL_NOT_ALIGNED",
            s"In $zone '$above' starts inside of a slot of '$below': slots shorter than a day are aligned " +
              "to UTC, and the zone's offset is not a multiple of them. " +
              new Advice(zone).instead(lower, upper)
          )
        case Right(nesting) if nesting.fanOut == 1 =>
          refuse("LEVEL_REPEATED", s"The level '$above' is given twice. Leave one out.")
        case Right(nesting) if nesting.fanOut > Levels.MaxFanOut =>
          refuse(
            "FAN_OUT_TOO_WIDE",
            s"'$above' has ${nesting.fanOut} slots of '$below', and ${Levels.MaxFanOut} is the most. " +
              new Advice(zone).between(lower, upper)
          )
        case _ => None
      }
  }

  private def tooShort(level: Level, unit: Granularity, word: String): Option[Refusal] =
    level.retention.filter(_.nominal < shortest(unit)).map { retention =>
      new Refusal(
        "RETENTION_TOO_SHORT",
        s"The level '${level.granularity.text(zone)}' is retained for '$retention', which is shorter than " +
          s"one $word of it. Retain it for at least '${unit.text(zone)}'."
      )
    }

  /** What a finer level can still answer, a coarser one must too: plans rise from the one to the other. */
  private def outlived(level: Level, above: Level): Option[Refusal] =
    above.retention.filter(kept => level.retention.forall(_.nominal > kept.nominal)).map { kept =>
      val longer = level.retention.fold("for ever")(retention => s"for '$retention'")
      new Refusal(
        "LEVEL_RETENTION_NOT_MONOTONE",
        s"The level '${above.granularity.text(zone)}' is retained for '$kept', but the finer level " +
          s"'${level.granularity.text(zone)}' $longer. Retain the coarser level at least as long, or the finer one less."
      )
    }

  /** '30 days' may be asked of days under months, and '365 days' of months under years. */
  private def shortest(granularity: Granularity): Long = granularity match {
    case months: Months =>
      (0L until 48L).map(n => months.firstDay(n + 1) - months.firstDay(n)).min * Micros.Day
    case other => other.nominal
  }
}
