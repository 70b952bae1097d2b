package io.paddlewheel.sharing

/** How much work a window is in a period: so many instances, each of so many pieces.
  *
  * All charges agree on tumbling windows.
  */
sealed trait Charge {
  private[sharing] def instances(window: Hop, period: BigInt): BigInt

  private[sharing] def pieces(window: Hop, over: Hop): Long
}

object Charge {

  /** One instance per slide, each combining all of its pieces: what a stream that evaluates every instance afresh
    * pays in the long run.
    */
  case object EverySlide extends Charge {
    private[sharing] def instances(window: Hop, period: BigInt): BigInt = period / window.slide

    private[sharing] def pieces(window: Hop, over: Hop): Long = Relation.multiplier(window, over)
  }

  /** The paper's: only the instances that lie within the first period, `1 + (period - range) / slide`.
    *
    * A window as long as the period is charged for one instance, however often it slides, so a factor window for
    * it rarely seems to pay.
    */
  case object FirstPeriod extends Charge {
    private[sharing] def instances(window: Hop, period: BigInt): BigInt =
      (period - window.range) / window.slide + 1

    private[sharing] def pieces(window: Hop, over: Hop): Long = Relation.multiplier(window, over)
  }

  /** One instance per slide, rolled on from the one before: subtract-on-evict and two-stacks touch each piece twice,
    * once when it comes and once when it goes, and combine once more for the answer. Where an instance has fewer
    * pieces than that, they are combined afresh.
    */
  case object Rolling extends Charge {
    private[sharing] def instances(window: Hop, period: BigInt): BigInt = period / window.slide

    private[sharing] def pieces(window: Hop, over: Hop): Long =
      math.min(Relation.multiplier(window, over), 2 * (window.slide / over.slide) + 1)
  }
}
