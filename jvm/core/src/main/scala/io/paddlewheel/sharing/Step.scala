package io.paddlewheel.sharing

/** One window of a plan and what it is computed from.
  *
  * @param parent the window whose instances are its pieces; `None` for the base slots
  * @param pieces how many of them make one instance
  * @param cost   of all its instances in a period
  */
final case class Step(window: Hop, parent: Option[Hop], pieces: Long, cost: BigInt)
