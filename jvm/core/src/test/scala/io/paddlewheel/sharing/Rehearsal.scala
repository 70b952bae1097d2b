package io.paddlewheel.sharing

/** Carries a plan out, window by window from the parents it names, on slots that are plain numbers. */
final class Rehearsal(plan: SharingPlan, slots: Vector[Long], combine: (Long, Long) => Long) {

  /** The instances that end within the slots, by number. */
  def viaPlan(window: Hop): Vector[Long] = instances(window)

  def directly(window: Hop): Vector[Long] =
    starts(window).map(start => slots.slice(start, start + window.range.toInt).reduce(combine))

  private lazy val instances: Map[Hop, Vector[Long]] = plan.steps.foldLeft(Map.empty[Hop, Vector[Long]]) {
    (done, step) =>
      val pieces = step.parent.fold(slots)(done)
      val stride = plan.sliceOf(step.window).slide.toInt
      done + (step.window -> starts(step.window).map { start =>
        pieces.slice(start / stride, start / stride + step.pieces.toInt).reduce(combine)
      })
  }

  private def starts(window: Hop): Vector[Int] =
    Vector.range(0, slots.size - window.range.toInt + 1, window.slide.toInt)
}
