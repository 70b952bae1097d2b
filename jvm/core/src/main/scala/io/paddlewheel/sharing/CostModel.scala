package io.paddlewheel.sharing

import io.paddlewheel.Refusal

/** What plans are compared by.
  *
  * Costs are whole numbers per period, the period being the least common multiple of all ranges and slides (where
  * slides divide their ranges: of the ranges, as in the paper).
  *
  * @param perSlot what the root holds per slot: 1 where slots are aggregated before the windows see them, the rate
  *                of events where windows read events
  */
final case class CostModel(perSlot: Long = 1, charge: Charge = Charge.EverySlide) {
  if (perSlot < 1)
    throw new Refusal(
      "EVENT_RATE",
      s"perSlot must be at least 1, but is $perSlot. Use 1 for aggregated slots."
    )

  private[sharing] def over(windows: Seq[Hop]): Prices =
    new Prices(this, Divisors.lcm(windows.flatMap(w => Seq(w.range, w.slide))))
}

/** A cost model fixed to one period. */
private[sharing] final class Prices(model: CostModel, val period: BigInt) {

  def fromSlots(window: Hop): BigInt = from(window, Hop.slot) * model.perSlot

  def from(window: Hop, parent: Hop): BigInt =
    model.charge.instances(window, period) * model.charge.pieces(window, parent)

  def from(window: Hop, parent: Option[Hop]): BigInt = parent.fold(fromSlots(window))(from(window, _))
}
