package io.paddlewheel.bench

/** One thing measured, here and, where there is one, on a peer. */
final case class Figure(
    name: String,
    ours: Double,
    peer: Option[Double],
    unit: String,
    target: Option[Target] = None,
    note: Option[String] = None
) {
  def ratio: Option[Double] = peer.filter(_ != 0).map(ours / _)

  def met: Option[Boolean] = target.flatMap(aim => ratio.map(aim.allows))
}

/** A bound on ours / peer. */
sealed abstract class Target(comparison: String) {
  def bound: Double
  def allows(ratio: Double): Boolean
  override def toString: String = s"$comparison $bound"
}

object Target {
  final case class AtMost(bound: Double) extends Target("<=") {
    def allows(ratio: Double): Boolean = ratio <= bound
  }
  final case class AtLeast(bound: Double) extends Target(">=") {
    def allows(ratio: Double): Boolean = ratio >= bound
  }
}
