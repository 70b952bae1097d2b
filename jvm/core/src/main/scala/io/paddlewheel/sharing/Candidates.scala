package io.paddlewheel.sharing

/** The factor windows worth considering for a window set.
  *
  * @param complete whether no other factor window could make a plan cheaper
  */
private[sharing] final case class Candidates(factors: Vector[Hop], complete: Boolean)

private[sharing] object Candidates {

  def of(windows: CoverageGraph, limit: Int): Candidates = windows.relation match {
    case Relation.PartitionedBy => disjoint(windows, limit)
    case Relation.CoveredBy => overlapping(windows, limit)
  }

  /** Tumbling slices, of the gcds of grains and ranges; and, for each range, windows that slide by a gcd of slides.
    *
    * These suffice. A factor window that does not tumble can but have its instances picked, by children of its own
    * range. With only one child it does not pay; with more, one of these does not tumble either, and so on down to a
    * window that was asked for. So it has the range of a window, and may slide by the gcd of its children's slides.
    * A factor window that tumbles either picks instances of such a one, or is made of shorter pieces. Then put in its
    * place the gcd of its children's grains: a multiple of its length, so its parent can still make it; it costs as
    * much as before, and its children cost no more.
    */
  private def disjoint(windows: CoverageGraph, limit: Int): Candidates = {
    val lengths = Divisors.gcdClosure(windows.nodes.flatMap(w => Seq(w.grain, w.range)), limit)
    val picked = windows.nodes.groupBy(_.range).toVector.sortBy(_._1).flatMap { case (range, same) =>
      Divisors.gcdClosure(range +: same.map(_.slide), limit).map(Hop(range, _))
    }
    val factors = (lengths.map(Hop.tumbling) ++ picked).distinct.filterNot(windows.nodes.contains)
    Candidates(factors.take(limit), complete = lengths.size < limit && factors.size < limit)
  }

  /** Slides that some windows have in common; for each the ranges at the ends of what is allowed, as a cost has no
    * minimum between: as long as a window, hardly longer than one, or hardly longer than the slide.
    */
  private def overlapping(windows: CoverageGraph, limit: Int): Candidates = {
    val slides = commonSlides(windows.nodes, limit)
    val ranges = windows.nodes.map(_.range)
    val ends = for {
      slide <- slides
      child <- windows.nodes if child.slide % slide == 0
      floor <- slide +: ranges if floor >= slide
      range = floor + Math.floorMod(child.range - floor, slide) if range <= child.range
    } yield Hop(range, slide)
    val fresh = ends.distinct.filterNot(windows.nodes.contains)
    val parents = if (fresh.size < limit) finer(fresh, slides) else Vector.empty
    Candidates(promising(windows, (fresh ++ parents).distinct, limit), complete = false)
  }

  /** What instances of the candidates can be picked from. */
  private def finer(candidates: Vector[Hop], slides: Vector[Long]): Vector[Hop] =
    for (c <- candidates; slide <- slides if slide < c.slide && c.slide % slide == 0)
      yield Hop(c.range, slide)

  private def commonSlides(windows: Vector[Hop], limit: Int): Vector[Long] = {
    val ofTwo =
      for (a <- windows; b <- windows)
        yield Divisors.gcd(Seq(a.slide, b.slide, math.abs(a.range - b.range)))
    val closure = Divisors.gcdClosure(ofTwo ++ windows.map(_.grain), limit)
    (closure ++ closure.flatMap(Divisors.of)).distinct.take(limit)
  }

  /** The candidates that would save most if each were the only one. */
  private def promising(windows: CoverageGraph, candidates: Vector[Hop], limit: Int): Vector[Hop] =
    if (candidates.size <= limit) candidates
    else candidates.map(f => windows.costWith(f) -> f).sorted.map(_._2).take(limit)
}
