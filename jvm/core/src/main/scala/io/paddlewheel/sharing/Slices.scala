package io.paddlewheel.sharing

import io.paddlewheel.Refusal

/** The lengths of the two slices that alternate under a window whose slide does not divide its range.
  *
  * Windows start at multiples of the slide, so from each of these on the slice of `second` comes first (a window
  * ends where it does), then that of `first`. When the slide divides the range there is no second slice.
  */
final case class Pairs(first: Long, second: Long) {

  /** The lengths from a multiple of the slide to the next, in the order of time. */
  def inOrder: Vector[Long] = Vector(second, first).filter(_ > 0)
}

object Slices {

  /** The fewest slices per slide whose edges include every start and every end of the window. */
  def pairs(range: Long, slide: Long): Pairs = {
    val second = Hop(range, slide).range % slide
    Pairs(slide - second, second)
  }

  /** The longest tumbling slice that all the windows can be cut into. */
  def common(windows: Seq[Hop]): Hop = {
    if (windows.isEmpty)
      throw new Refusal("NO_WINDOWS", "Common slices need at least one window, but there is none. Name one.")
    Hop.tumbling(Divisors.gcd(windows.map(_.grain)))
  }
}
