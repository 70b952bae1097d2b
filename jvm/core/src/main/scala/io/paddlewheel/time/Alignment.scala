package io.paddlewheel.time

/** Finds from when on the days or months of a zone start where fixed slots do.
  *
  * Between two changes of a zone's offset all its days lie alike on the grid of slots (the caller has made sure that the
  * usual length of a rotation is a whole number of slots, at least by the day). So it is enough to look at the rotations next
  * to each change. One is at fault when it starts inside of a slot, or has more slots than a rotation may have because a
  * zone once repeated a day. Past faults put off `earliest`; one that comes again every year, or that stands for good, is a
  * misfit.
  */
private[time] object Alignment {

  def of(slots: Fixed, rotations: Granularity, clock: WallClock): Either[Nesting.Misfit, Nesting] = {
    def slotsIn(rotation: Long) =
      ByStart.firstSlot(slots, rotations, rotation + 1) - ByStart.firstSlot(slots, rotations, rotation)

    val usual = usualRotations(rotations, clock)
    val most = math.max(Levels.MaxFanOut.toLong, usual.map(slotsIn).max)
    def faulty(rotation: Long) = !slots.isAligned(rotations.start(rotation)) || slotsIn(rotation) > most

    val changed = clock.changes.toSeq.flatMap { change =>
      val rotation = rotations.slotOf(change)
      rotation - 1 to rotation + 2
    }
    (changed ++ usual).filter(faulty).maxOption match {
      case Some(last) if last >= usual.head || rotations.start(last) >= clock.ruledFrom =>
        Left(Nesting.OffGrid)
      case fault =>
        val first = fault.map(_ + 1)
        val sound = (changed ++ usual).filter(rotation => first.forall(rotation >= _))
        Right(ByStart(slots, rotations, sound.map(slotsIn).max, first.fold(Instants.Min)(rotations.start)))
    }
  }

  /** Rotations after the last change that is known: the lengths of four years' months, or of any days. */
  private def usualRotations(rotations: Granularity, clock: WallClock): Seq[Long] = {
    val settled = rotations.slotOf(clock.changes.lastOption.getOrElse(0L)) + 2
    settled until settled + 48
  }
}
