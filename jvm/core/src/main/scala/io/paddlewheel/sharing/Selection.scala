package io.paddlewheel.sharing

/** Which candidates become factor windows of a plan; remembers the cheapest selection it has come by.
  *
  * Each candidate is open (part of the plan), closed, or undecided. The windows are always open.
  *
  * @param candidates MUST be none of the windows
  */
private[sharing] final class Selection(windows: CoverageGraph, candidates: Vector[Hop]) {
  import Selection._

  private val nodes = windows.nodes ++ candidates
  private val selectable = windows.nodes.size until nodes.size

  /** By node, cheapest first and down to the base slots, which are always there. */
  private val choices: Array[Array[Choice]] = nodes.map { w =>
    val slots = Choice(Slots, windows.prices.fromSlots(w))
    val parents = nodes.indices
      .filter(p => nodes(p) != w && windows.relation.holds(w, nodes(p)))
      .map(p => Choice(p, windows.prices.from(w, nodes(p))))
    (parents.filter(_.price < slots.price).sortBy(_.price) :+ slots).toArray
  }.toArray

  private val state = Array.fill(nodes.size)(Open)
  private var bestOpen: Option[Vector[Int]] = None
  private var bestCost: BigInt = 0

  def best: Vector[Hop] = bestOpen.fold(Vector.empty[Hop])(_.map(nodes))

  /** From the candidates of `start`, opens or closes the one that helps most, until none helps. */
  def climb(start: Vector[Hop]): Unit = {
    selectable.foreach(i => state(i) = if (start.contains(nodes(i))) Open else Closed)
    var here = cost
    var step = bestFlip(here)
    while (step.nonEmpty) {
      step.foreach { case (there, i) => flip(i); here = there }
      step = bestFlip(here)
    }
    remember(here)
  }

  /** Looks at all selections that could be cheaper than the best so far, in at most `maxBranches` steps. Whether
    * these sufficed.
    *
    * The bound of a branch is what the open nodes cost if undecided candidates were free for the taking, save that
    * something must be computed from the slots. Where no candidate is taken, the bound is the cost of a plan.
    */
  def branchAndBound(maxBranches: Int): Boolean = {
    var branches = 0
    def branch(): Unit = {
      branches += 1
      val bound = cost + leastFromSlots
      if (branches <= maxBranches && bestOpen.forall(_ => bound < bestCost)) {
        val wanted = mostWanted
        if (wanted == Slots) remember(bound)
        else {
          Seq(Open, Closed).foreach { decision => state(wanted) = decision; branch() }
          state(wanted) = Undecided
        }
      }
    }
    selectable.foreach(state(_) = Undecided)
    branch()
    branches <= maxBranches
  }

  /** What the open nodes cost, each from its cheapest parent that is not closed. */
  private def cost: BigInt = {
    var sum = BigInt(0)
    var i = 0
    while (i < nodes.size) {
      if (state(i) == Open) sum += cheapest(i).price
      i += 1
    }
    sum
  }

  /** What it takes, at least, to have one node computed from the slots that is not so by choice. */
  private def leastFromSlots: BigInt = {
    val extra = nodes.indices.iterator.collect {
      case i if state(i) == Open => choices(i).last.price - cheapest(i).price
      case i if state(i) == Undecided => choices(i).last.price
    }
    extra.minOption.getOrElse(0)
  }

  private def cheapest(i: Int): Choice = {
    val ordered = choices(i)
    var c = 0
    while (ordered(c).parent != Slots && state(ordered(c).parent) == Closed) c += 1
    ordered(c)
  }

  private def remember(found: BigInt): Unit = if (bestOpen.forall(_ => found < bestCost)) {
    bestCost = found
    bestOpen = Some(selectable.filter(state(_) == Open).toVector)
  }

  private def flip(i: Int): Unit = state(i) = if (state(i) == Open) Closed else Open

  private def bestFlip(here: BigInt): Option[(BigInt, Int)] = {
    val flips = selectable.map { i =>
      flip(i)
      val there = cost
      flip(i)
      (there, i)
    }
    flips.minOption.filter(_._1 < here)
  }

  /** The undecided candidate that most open nodes would take as their parent, or `Slots` when none would. */
  private def mostWanted: Int = {
    val wishes = new Array[Int](nodes.size)
    var wanted = Slots
    var i = 0
    while (i < nodes.size) {
      val parent = if (state(i) == Open) cheapest(i).parent else Slots
      if (parent != Slots && state(parent) == Undecided) {
        wishes(parent) += 1
        if (wanted == Slots || wishes(parent) > wishes(wanted)) wanted = parent
      }
      i += 1
    }
    wanted
  }
}

private object Selection {

  /** A parent that a node may take, by its index, and what the node then costs. */
  final case class Choice(parent: Int, price: BigInt)

  val Slots = -1

  val Closed = 0
  val Open = 1
  val Undecided = 2
}
