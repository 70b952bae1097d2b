package io.paddlewheel.time

/** Finds from when on the days or months of a zone start where fixed slots do.
  *
  * Between two changes of a zone's offset all its days lie alike on the grid of slots: the caller MUST have
  * made sure that the usual length of a rotation is a whole number of slots. So it is enough to look at the
  * rotations next to each change. One is at fault when it starts inside of a slot, or when a day that the
  * zone once repeated gives it more slots than a rotation may have. A fault of the past puts off `earliest`;
  * one that comes again with the rule of a year, or that stands for good, is a misfit.
  */
private[time] object Alignment {

  def of(slots: Fixed, rotations: Granularity, clock: WallClock): Either[Nesting.Misfit, Nesting] = {
    def slotsIn(rotation: Long) =
      ByStart.firstSlot(slots, rotations, rotation + 1) - ByStart.firstSlot(slots, rotations, rotation)

    val changing = clock.changes.flatMap { change =>
      val rotation = rotations.slotOf(change)
      rotation - 1 to rotation + 2
    }
    // After the last change that is known; in 48 rotations months have all their lengths.
    val settled = changing.lastOption.getOrElse(0L)
    val usual = settled until settled + 48

    // Too wide in any case is not a matter of alignment.
    val most = if (usual.map(slotsIn).max > Levels.MaxFanOut) Long.MaxValue else Levels.MaxFanOut.toLong
    def faulty(rotation: Long) = !slots.isAligned(rotations.start(rotation)) || slotsIn(rotation) > most

    val looked = changing ++ usual
    looked.filter(faulty).maxOption match {
      case Some(last) if last >= settled || rotations.start(last) >= clock.ruledFrom =>
        Left(Nesting.OffGrid)
      case Some(last) =>
        val fanOut = looked.filter(_ > last).map(slotsIn).max
        Right(ByStart(slots, rotations, fanOut, rotations.start(last + 1)))
      case None =>
        Right(ByStart(slots, rotations, looked.map(slotsIn).max, Instants.Min))
    }
  }
}
