package io.paddlewheel.time

import java.time.ZoneId

/** How the slots of a level lie under those of the next one, its rotations.
  *
  * Every slot belongs to exactly one rotation, and the slots of a rotation are consecutive. From `earliest`
  * on a rotation's bounds are also bounds of slots, so that its slots cover it exactly.
  */
private[time] sealed trait Nesting {

  /** The most slots that a rotation has, from `earliest` on. */
  def fanOut: Long

  def earliest: Long

  def rotationOf(slot: Long): Long

  def firstSlot(rotation: Long): Long
}

/** As many slots in every rotation; `shift` is the place of slot 0 in rotation 0. */
private[time] final case class Even(fanOut: Long, shift: Long) extends Nesting {
  def earliest: Long = Instants.Min

  def rotationOf(slot: Long): Long = Math.floorDiv(slot + shift, fanOut)

  def firstSlot(rotation: Long): Long = rotation * fanOut - shift
}

/** Single days of a calendar in its months, by date: a day that a zone skipped still belongs to its month. */
private[time] final case class DaysInMonths(phase: Long, months: Months) extends Nesting {
  def earliest: Long = Instants.Min

  // In 48 rotations months have all their lengths.
  val fanOut: Long = (0L until 48L).map(rotation => firstSlot(rotation + 1) - firstSlot(rotation)).max

  def rotationOf(slot: Long): Long = months.slotOfDay(slot + phase)

  def firstSlot(rotation: Long): Long = months.firstDay(rotation) - phase
}

/** Fixed slots under the days or months of a zone: a slot belongs where it starts. */
private[time] final case class ByStart(slots: Fixed, rotations: Granularity, fanOut: Long, earliest: Long)
    extends Nesting {

  def rotationOf(slot: Long): Long = rotations.slotOf(slots.start(slot))

  def firstSlot(rotation: Long): Long = ByStart.firstSlot(slots, rotations, rotation)
}

private[time] object ByStart {

  def firstSlot(slots: Fixed, rotations: Granularity, rotation: Long): Long =
    slots.slotOf(rotations.start(rotation) + slots.size - 1)
}

private[time] object Nesting {

  /** Why two granularities do not nest. */
  sealed trait Misfit
  case object NotAMultiple extends Misfit
  case object OtherZone extends Misfit

  /** The zone's days start inside of slots, now and in years to come. */
  case object OffGrid extends Misfit

  def of(lower: Granularity, upper: Granularity): Either[Misfit, Nesting] = (lower, upper) match {
    case (Fixed(size, origin), Fixed(above, aboveOrigin)) =>
      even(size, above, origin - aboveOrigin)
    case (Days(count, phase, zone), Days(above, abovePhase, other)) =>
      inOneZone(zone, other)(even(count.toLong, above.toLong, phase.toLong - abovePhase))
    case (Months(count, zone), Months(above, other)) =>
      inOneZone(zone, other)(even(count.toLong, above.toLong, 0))
    case (Days(1, phase, zone), months: Months) =>
      inOneZone(zone, months.zone)(Right(DaysInMonths(phase.toLong, months)))
    case (Fixed(Micros.Day, origin), months: Months)
        if origin % Micros.Day == 0 && WallClock.isUtc(months.zone) =>
      Right(DaysInMonths(origin / Micros.Day, months))
    case (slots: Fixed, days: Days) if days.nominal % slots.size == 0 =>
      Alignment.of(slots, days, WallClock(days.zone))
    case (slots: Fixed, months: Months) if Micros.Day % slots.size == 0 =>
      Alignment.of(slots, months, WallClock(months.zone))
    case _ =>
      Left(NotAMultiple)
  }

  private def even(size: Long, above: Long, distance: Long): Either[Misfit, Nesting] =
    if (above % size == 0 && distance % size == 0) Right(Even(above / size, distance / size))
    else Left(NotAMultiple)

  private def inOneZone(zone: ZoneId, other: ZoneId)(
      nesting: Either[Misfit, Nesting]
  ): Either[Misfit, Nesting] =
    if (WallClock.same(zone, other)) nesting else Left(OtherZone)
}
