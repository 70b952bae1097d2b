package io.paddlewheel.plan

import scala.collection.immutable.ArraySeq

import io.paddlewheel.TimeRange
import io.paddlewheel.column.Cells
import io.paddlewheel.time.{Instants, Levels}
import io.paddlewheel.wheel.Wheel

/** How a span of slots is used. */
sealed abstract class Operation(val name: String)
object Operation {

  /** Merge the slots one by one. */
  case object Fold extends Operation("fold")

  /** Subtract two running totals. */
  case object Difference extends Operation("difference")

  /** Take the slots out of what the pieces before have gathered. */
  case object Subtract extends Operation("subtract")
}

/** One step of a plan. */
sealed trait Piece

object Piece {

  /** The total of everything. */
  case object Landmark extends Piece {
    override def toString: String = "landmark"
  }

  /** Slots `[from, until)` of a level. Their places in rotations are worked out once, for all wheels. */
  final case class Span(level: Int, from: Long, until: Long, operation: Operation)(
      levels: Levels,
      private[plan] val fromRotation: Long,
      private[plan] val untilRotation: Long
  ) extends Piece {
    private[plan] val fromIndex = (from - levels.firstSlot(level, fromRotation)).toInt
    private[plan] val untilIndex = (until - levels.firstSlot(level, untilRotation)).toInt

    def slots: Long = until - from

    /** The same slots, used in another way. */
    def by(other: Operation): Span = Span(level, from, until, other)(levels, fromRotation, untilRotation)

    override def toString: String = {
      val grid = levels.granularity(level)
      s"${operation.name} $slots × ${grid.name} [${Instants.show(grid.start(from))}, ${Instants.show(grid.start(until))})"
    }
  }
}

/** The kinds of plan the planner weighs against each other. */
sealed abstract class Candidate(val name: String)
object Candidate {
  case object Nothing extends Candidate("nothing to read")
  final case class OneLevel(level: Int) extends Candidate("one level")
  final case class CombinedLevels(top: Int) extends Candidate("combined levels")
  case object Landmark extends Candidate("landmark")
  case object LandmarkMinusRest extends Candidate("landmark minus the rest")
}

/** How a range is answered: pieces that cover it exactly. Plain data; it runs over one wheel or many. */
final case class Plan(
    range: TimeRange,
    candidate: Candidate,
    pieces: ArraySeq[Piece],
    cost: Double,
    complete: Boolean
) {

  /** Slots touched, when folded one by one. */
  def slots: Long = pieces.iterator.collect { case span: Piece.Span => span.slots }.sum

  def combines: Long = math.max(0, slots - 1)

  /** Puts the answer for one wheel at position `i` of `into`; whether there was any data. Without data the position
    * holds the neutral element of every column.
    */
  def run(wheel: Wheel, into: Cells, i: Int): Boolean = {
    wheel.schema.clear(into, i)
    var found = false
    var p = 0
    val steps = pieces.unsafeArray.asInstanceOf[Array[AnyRef]]
    while (p < steps.length) {
      steps(p).asInstanceOf[Piece] match {
        case span: Piece.Span if span.operation ne Operation.Subtract =>
          found |= wheel.fold(
            into,
            i,
            span.level,
            span.fromRotation,
            span.fromIndex,
            span.untilRotation,
            span.untilIndex
          )
        case span: Piece.Span =>
          val rest = Cells(wheel.schema, 1)
          wheel.schema.clear(rest, 0)
          if (
            wheel.fold(
              rest,
              0,
              span.level,
              span.fromRotation,
              span.fromIndex,
              span.untilRotation,
              span.untilIndex
            )
          )
            wheel.schema.subtract(into, i, rest, 0)
        case Piece.Landmark =>
          // What is subtracted later may leave nothing: a landmark is only used for ranges open at one end, where the
          // first and last slot ever merged tell whether there is data.
          wheel.landmark(into, i)
          found = wheel.first < range.end && wheel.last > range.start
      }
      p += 1
    }
    found
  }

  override def toString: String = {
    val state = if (complete) "complete" else "incomplete: it ends above the watermark"
    (f"$range by ${candidate.name}, $slots slots, $cost%.0f ns, $state" +: pieces.map("  " + _))
      .mkString("\n")
  }
}
