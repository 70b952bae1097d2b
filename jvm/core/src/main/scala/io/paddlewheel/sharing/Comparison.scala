package io.paddlewheel.sharing

import scala.util.Random

/** How [[SharingPlan.best]] compares with [[SharingPlan.published]] on one kind of random window sets.
  *
  * @param wins          sets on which the best plan is cheaper
  * @param optimal       sets on which the best plan is proven to be the cheapest there is
  * @param gains         by how many per cent of the published cost, for every set; 0 where both are the same
  * @param publishedLeft what the published plans cost, in per cent of no sharing, on average
  * @param bestLeft      the same of the best plans
  * @param widest        the set with the largest gain
  */
final case class Comparison(
    kind: String,
    relation: Relation,
    sets: Int,
    wins: Int,
    optimal: Int,
    gains: Vector[Double],
    publishedLeft: Double,
    bestLeft: Double,
    widest: Vector[Hop]
) {
  def meanGain: Double = gains.sum / sets

  def meanGainOfWins: Double = if (wins == 0) 0 else gains.sum / wins

  def maxGain: Double = gains.max

  def show: String =
    f"$kind%-9s $relation%-14s $wins%5d of $sets won ($optimal proven optimal): mean $meanGain%.2f %%, " +
      f"mean of wins $meanGainOfWins%.2f %%, max $maxGain%.2f %% on ${widest.mkString(" ")}; " +
      f"left of unshared: published $publishedLeft%.2f %%, best $bestLeft%.2f %%"
}

object Comparison {

  /** Compares on `sets` random sets of each kind, under both relations. Repeatable for a seed. */
  def run(seed: Long, sets: Int, model: CostModel = CostModel()): Vector[Comparison] =
    for {
      kind <- kinds.toVector
      relation <- Vector(Relation.PartitionedBy, Relation.CoveredBy)
    } yield {
      val random = new Random(seed)
      of(kind._1, relation, Vector.fill(sets)(kind._2(random)), model)
    }

  private def of(
      kind: String,
      relation: Relation,
      sets: Vector[Vector[Hop]],
      model: CostModel
  ): Comparison = {
    val published = sets.map(SharingPlan.published(_, relation, model))
    val best = sets.map(SharingPlan.best(_, relation, model))
    val gains = published.lazyZip(best).map((p, b) => perCent(p.cost - b.cost, p.cost)).toVector
    Comparison(
      kind,
      relation,
      sets.size,
      gains.count(_ > 0),
      best.count(_.optimal),
      gains,
      published.map(p => perCent(p.cost, p.unshared)).sum / sets.size,
      best.map(p => perCent(p.cost, p.unshared)).sum / sets.size,
      sets(gains.indexOf(gains.max))
    )
  }

  private def perCent(part: BigInt, whole: BigInt): Double =
    (BigDecimal(part) * 100 / BigDecimal(whole)).toDouble

  /** Tumbling and hopping as the paper draws them, from a few seeds; hopping with longer ranges; and the windows
    * people ask for, in seconds of the clock.
    */
  private val kinds: Seq[(String, Random => Vector[Hop])] = Seq(
    "tumbling" -> severalOf { (random, seed) => Hop.tumbling(seed * between(random, 2, 50)) },
    "hopping" -> severalOf { (random, seed) =>
      val slide = seed * between(random, 2, 50)
      Hop(2 * slide, slide)
    },
    "long" -> severalOf { (random, seed) =>
      val slide = seed * between(random, 1, 12)
      Hop(slide * between(random, 1, 12), slide)
    },
    "clock" -> severalOf { (random, _) =>
      val range = clock(random.nextInt(clock.size))
      val slides = clock.filter(s => s <= range && range % s == 0)
      Hop(range, slides(random.nextInt(slides.size)))
    }
  )

  private val clock: Vector[Long] =
    Vector(1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800)

  private def severalOf(one: (Random, Long) => Hop)(random: Random): Vector[Hop] = {
    val seed = Vector(2L, 5L, 10L)(random.nextInt(3))
    Vector.fill(between(random, 3, 8))(one(random, seed)).distinct
  }

  private def between(random: Random, low: Int, high: Int): Int = low + random.nextInt(high - low + 1)
}
