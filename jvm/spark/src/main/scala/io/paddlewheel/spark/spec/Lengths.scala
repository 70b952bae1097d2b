package io.paddlewheel.spark.spec

import java.time.{ZoneId, ZoneOffset}

import io.paddlewheel.spark.spec.Checked._
import io.paddlewheel.time.{Micros, Span}

/** Lengths of time that a spec gives as text. */
private[spec] object Lengths {

  private val Zero = """\s*\+?0+\s*(\p{L}+)\s*""".r

  /** How late a row may come. Unlike other lengths, it may be zero. */
  def lateness(text: String): Checked[Span] = {
    val field = "allowed_lateness"
    text match {
      case Zero(unit) => engine(field)(Span.parse(s"1 $unit")).map(_ => Span.Zero)
      case other =>
        engine(field)(Span.parse(other)).left.map(_.map {
          case Fault(_, condition @ "AMOUNT_NOT_POSITIVE", _) =>
            Fault(field, condition, s"'$text' is not a lateness. Use '0 seconds' or a positive length.")
          case fault => fault
        })
    }
  }

  /** A length that is the same number of microseconds at all times. */
  def fixed(field: String, text: String, zone: ZoneId): Checked[Long] =
    engine(field)(Span.parse(text)).flatMap {
      case Span(0, 0, micros) => Right(micros)
      case Span(0, days, micros) if isUtc(zone) => Right(days * Micros.Day + micros)
      case Span(0, days, _) =>
        fault(
          field,
          "LENGTH_NOT_FIXED",
          s"'$text' has days, and in $zone a day is not always 24 hours. Write '${days * 24L} hours' instead."
        )
      case _ =>
        fault(
          field,
          "LENGTH_NOT_FIXED",
          s"'$text' has months, which differ in length. Write it in days or hours; " +
            "or use a tumbling window, which may follow the calendar."
        )
    }

  private def isUtc(zone: ZoneId): Boolean = zone.getRules == ZoneOffset.UTC.getRules
}
