package io.paddlewheel.spark.spec

import java.time.{DateTimeException, ZoneId, ZoneOffset}

import org.apache.spark.sql.{Column, Dataset, Row}

import io.paddlewheel.spark.spec.Checked._
import io.paddlewheel.time.Levels
import io.paddlewheel.window.{Emission, Window}

/** The one place where specs are validated. */
object SpecCheck {

  /** The spec read against the DataFrame it is for; or [[SpecRefused]] with every fault at once. */
  def resolve(df: Dataset[Row], spec: WheelSpec): ResolvedSpec = {
    val columns = new ColumnCheck(df)
    val names = new NameCheck(columns.same)(spec)
    val keys = all(spec.keys.zipWithIndex.map { case (name, i) => columns.key(s"keys[$i]", name) })
    val time = columns.time(spec.time)
    val levels = checkedLevels(spec)
    val emission = checkedEmission(spec.emission)
    val lateness = Lengths.lateness(spec.allowedLateness)
    val aggregates = checkedAggregates(df, spec)
    val windows =
      checkedWindows(spec, levels.toOption, emission.getOrElse(Emission.Every))

    val checked = for {
      _ <- names
      keys <- keys
      time <- time
      levels <- levels
      aggregates <- aggregates
      windows <- windows
      lateness <- lateness
      emission <- emission
    } yield ResolvedSpec(spec, levels, windows.toIndexedSeq, lateness, emission, keys, time, aggregates)

    checked.getOrElse {
      val parts = Seq(names, keys, time, levels, aggregates, windows, lateness, emission)
      throw new SpecRefused(parts.flatMap(faults).distinct)
    }
  }

  private def checkedLevels(spec: WheelSpec): Checked[Levels] =
    Levels.faults(spec.levels, spec.timeZone) match {
      case Seq() => Right(Levels(spec.levels, spec.timeZone))
      case refused =>
        Left(refused.map { refusal =>
          Fault(if (refusal.condition == "ZONE_UNKNOWN") "time_zone" else "levels", refusal)
        })
    }

  private def checkedAggregates(df: Dataset[Row], spec: WheelSpec): Checked[Seq[(String, Column)]] =
    if (spec.aggregates.isEmpty)
      fault(
        "aggregates",
        "AGGREGATES_EMPTY",
        "The spec has no aggregates. Add at least one, such as 'rows': 'count(*)'."
      )
    else {
      val check = new AggregateCheck(df, spec.time)
      all(spec.aggregates.map { case (name, sql) => check(s"aggregates.$name", sql).map(name -> _) })
    }

  private def checkedWindows(
      spec: WheelSpec,
      levels: Option[Levels],
      emission: Emission
  ): Checked[Seq[(String, Window)]] =
    if (spec.windows.isEmpty) {
      val base = spec.levels.headOption.fold("1 second")(_._1)
      fault(
        "windows",
        "WINDOWS_EMPTY",
        s"The spec has no windows, so nothing would come out. Add one, such as a tumbling window of '$base'."
      )
    } else {
      val check = new WindowCheck(zoneOrUtc(spec.timeZone), levels, emission)
      all(spec.windows.map { case (name, window) => check(name, window).map(name -> _) })
    }

  private def checkedEmission(text: String): Checked[Emission] =
    emissions.get(text).toRight {
      val advice = CloseNames.advice(text, emissions.keys.toSeq)
      Seq(Fault("emission", "EMISSION_UNKNOWN", s"There is no emission '$text'. $advice"))
    }

  private val emissions: Map[String, Emission] =
    Map("every" -> Emission.Every, "latest" -> Emission.Latest, "changed" -> Emission.Changed)

  /** A zone that is not known is a fault of its own; lengths can still be read without it. */
  private def zoneOrUtc(text: String): ZoneId =
    try ZoneId.of(text)
    catch { case _: DateTimeException => ZoneOffset.UTC }
}
