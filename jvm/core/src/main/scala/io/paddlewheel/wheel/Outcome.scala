package io.paddlewheel.wheel

/** What became of a merged value. */
sealed trait Outcome
object Outcome {

  /** It went into a slot that ends above the watermark. */
  case object Live extends Outcome

  /** It was late: its slot lies below the watermark. If that was sealed, one ancestor per level was repaired too. */
  case object Repaired extends Outcome

  /** It was older than everything the wheel keeps, and is in no slot. */
  case object Expired extends Outcome
}

/** How many late values a wheel took, and how many it could not take any more. */
final class Late {
  var repaired: Int = 0
  var expired: Int = 0
}
