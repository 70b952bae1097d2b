package io.paddlewheel.wheel

/** What became of a merged value. */
sealed trait Outcome
object Outcome {

  /** It went into a live rotation. */
  case object Live extends Outcome

  /** It was late: a sealed slot and one ancestor per level were repaired. */
  case object Repaired extends Outcome

  /** It was older than everything the wheel keeps, and is in no slot. */
  case object Expired extends Outcome
}

/** How many late values a wheel took, and how many it could not take any more. */
final class Late {
  var repaired: Int = 0
  var expired: Int = 0
}
