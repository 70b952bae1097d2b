package io.paddlewheel.sharing

import org.scalacheck.Gen

/** Window sets to try plans on. */
object RandomSets {

  val relations: Seq[Relation] = Seq(Relation.PartitionedBy, Relation.CoveredBy)

  val charges: Seq[Charge] = Seq(Charge.EverySlide, Charge.FirstPeriod, Charge.Rolling)

  /** Slides divide ranges or do not; either happens often, and so do common divisors. */
  def window(longest: Long): Gen[Hop] = Gen.oneOf(
    Gen.choose(1L, longest).map(Hop.tumbling),
    for (range <- Gen.choose(1L, longest); slide <- Gen.choose(1L, range)) yield Hop(range, slide),
    for (slide <- Gen.choose(1L, math.max(1, longest / 4)); times <- Gen.choose(1L, 4L))
      yield Hop(slide * times, slide)
  )

  def windows(most: Int, longest: Long): Gen[Vector[Hop]] =
    Gen.choose(1, most).flatMap(Gen.containerOfN[Vector, Hop](_, window(longest)))

  val model: Gen[CostModel] =
    for (perSlot <- Gen.oneOf(1L, 1L, 3L); charge <- Gen.oneOf(charges))
      yield CostModel(perSlot, charge)

  val relation: Gen[Relation] = Gen.oneOf(relations)
}
