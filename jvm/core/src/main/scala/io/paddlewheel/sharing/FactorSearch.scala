package io.paddlewheel.sharing

/** What a search found.
  *
  * @param optimal whether no factor windows at all, considered or not, give a cheaper plan
  */
private[sharing] final case class Found(factors: Vector[Hop], optimal: Boolean)

/** Searches for the factor windows that together serve a window set best; the published choice looks at one at a
  * time.
  *
  * The limits are counts, not times: the same windows MUST get the same plan on every machine.
  */
private[sharing] object FactorSearch {

  private val MaxCandidates = 96

  /** Where the end of a search proves its plan, it is worth waiting for; otherwise the first steps find all that
    * more would.
    */
  private val MaxBranchesToProof = 20000
  private val MaxBranches = 2000

  /** Never worse than the published choice; and, as disjoint pieces are pieces too, never worse for being allowed
    * to overlap them.
    */
  def run(windows: CoverageGraph): Found = {
    val disjoint = windows.relation match {
      case Relation.PartitionedBy => Vector.empty
      case Relation.CoveredBy => run(windows.copy(relation = Relation.PartitionedBy)).factors
    }
    val starts = Vector(Vector.empty, FactorWindows.choose(windows), disjoint).distinct
    val candidates = Candidates.of(windows, MaxCandidates)
    val selection = new Selection(windows, (starts.flatten ++ candidates.factors).distinct.sorted)
    starts.foreach(selection.climb)
    val ended = selection.branchAndBound(if (candidates.complete) MaxBranchesToProof else MaxBranches)
    Found(selection.best, ended && candidates.complete)
  }
}
