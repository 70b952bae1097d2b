package io.paddlewheel.time

import java.time.{DateTimeException, ZoneId, ZoneOffset}

import scala.jdk.CollectionConverters._

import io.paddlewheel.Refusal

/** A chain of levels as read from text, with what could not be read: `None` stands for a level at fault. */
private[time] final case class LevelsText(levels: Seq[Option[Level]], zone: ZoneId, unread: Seq[Refusal]) {

  /** What could not be read, and what does not fit together of the rest. */
  def faults: Seq[Refusal] = unread ++ new LevelFaults(zone).of(levels)
}

private[time] object LevelsText {

  def read(texts: Seq[(String, Option[String])], zoneText: String): LevelsText =
    attempt(zone(zoneText)) match {
      case Right(known) => in(known, texts)
      // Without its zone no level can be placed, but each can still be read.
      case Left(fault) =>
        val read = in(ZoneOffset.UTC, texts)
        LevelsText(read.levels.map(_ => None), ZoneOffset.UTC, fault +: read.unread)
    }

  private def in(zone: ZoneId, texts: Seq[(String, Option[String])]): LevelsText = {
    val parts = texts.map { case (granularity, retention) =>
      (attempt(Granularity.parse(granularity, zone)), retention.map(text => attempt(Span.parse(text))))
    }
    val levels = parts.map {
      case (Right(granularity), None) => Some(Level(granularity, None))
      case (Right(granularity), Some(Right(retention))) => Some(Level(granularity, Some(retention)))
      case _ => None
    }
    val unread = parts.flatMap { case (granularity, retention) =>
      granularity.left.toSeq ++ retention.flatMap(_.left.toOption)
    }
    LevelsText(levels, zone, unread)
  }

  private def zone(text: String): ZoneId =
    try ZoneId.of(text)
    catch {
      case _: DateTimeException =>
        val meant = ZoneId.getAvailableZoneIds.asScala.toSeq.sorted.find { id =>
          id.equalsIgnoreCase(text.trim) || id.split('/').last.equalsIgnoreCase(text.trim)
        }
        val remedy = meant.fold("Use a name such as 'Europe/Stockholm' or 'UTC'.")(id => s"Use '$id'.")
        throw new Refusal("ZONE_UNKNOWN", s"The time zone '$text' is not known. $remedy")
    }

  private def attempt[A](read: => A): Either[Refusal, A] =
    try Right(read)
    catch { case refusal: Refusal => Left(refusal) }
}
