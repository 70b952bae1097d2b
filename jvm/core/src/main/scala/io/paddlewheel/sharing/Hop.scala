package io.paddlewheel.sharing

import io.paddlewheel.Refusal

/** A window of `range` slots that starts anew every `slide` slots: instance `m` is
  * `[m * slide, m * slide + range)`, counted from the epoch.
  *
  * Lengths are whole base slots. The slide never exceeds the range (there would be slots no window sees), but
  * it need not divide it; [[Slices.pairs]] is for the windows where it does not.
  */
final case class Hop(range: Long, slide: Long) {
  if (slide < 1 || slide > range)
    throw new Refusal(
      "WINDOW_SLIDE",
      s"A window needs 1 <= slide <= range, but range is $range and slide is $slide. " +
        "Shorten the slide, or lengthen the range."
    )

  def tumbling: Boolean = range == slide

  /** The longest tumbling slice this window can be cut into, at its starts and at its ends. */
  def grain: Long = Divisors.gcd(range, slide)

  override def toString: String = s"⟨$range,$slide⟩"
}

object Hop {
  def tumbling(range: Long): Hop = Hop(range, range)

  /** The base slots themselves, seen as a window: the root of every plan. */
  val slot: Hop = Hop(1, 1)

  /** Shorter first. A window that is computed from another always comes after it in this order. */
  implicit val ordering: Ordering[Hop] = Ordering.by((w: Hop) => (w.range, w.slide))
}
