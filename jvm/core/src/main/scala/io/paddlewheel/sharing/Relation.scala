package io.paddlewheel.sharing

/** How one window may be computed from the instances of another. Both relations are partial orders. */
sealed trait Relation {

  /** Whether every instance of `window` is a union of consecutive instances of `over`, as this relation asks. */
  def holds(window: Hop, over: Hop): Boolean
}

object Relation {

  /** The pieces may overlap: only for aggregates that do not mind seeing a slot twice (min, max, and, or). */
  case object CoveredBy extends Relation {
    def holds(window: Hop, over: Hop): Boolean =
      over.range <= window.range &&
        window.slide % over.slide == 0 &&
        (window.range - over.range) % over.slide == 0

    override def toString: String = "covered by"
  }

  /** The pieces are disjoint: for every aggregate.
    *
    * Consecutive instances are disjoint when they tumble; or when there is but one, that is, when `window` is every
    * so many-th instance of `over`. The paper has the first case only, but a day that tumbles and a day that slides
    * by the hour are often asked for together.
    */
  case object PartitionedBy extends Relation {
    def holds(window: Hop, over: Hop): Boolean =
      if (over.range == window.range) window.slide % over.slide == 0
      else over.tumbling && window.grain % over.range == 0

    override def toString: String = "partitioned by"
  }

  /** How many instances of `over` make one of `window`; `over` MUST cover `window`. */
  def multiplier(window: Hop, over: Hop): Long = 1 + (window.range - over.range) / over.slide
}
