package io.paddlewheel.column

import io.paddlewheel.Refusal

/** One aggregate of a slot: the values it keeps and how two of them become one. */
sealed trait Column {
  def name: String

  /** The arrays that hold it, in order. */
  private[column] def lanes: Seq[Lane]
}

/** One array of a column. `nullable` lanes carry a validity bit for each value. */
final case class Lane(name: String, kind: Kind, nullable: Boolean)

/** How a primitive column merges. */
sealed abstract class Merge(val name: String)
object Merge {
  case object Sum extends Merge("sum")
  case object Min extends Merge("min")
  case object Max extends Merge("max")
  case object And extends Merge("and")
  case object Or extends Merge("or")
  case object Xor extends Merge("xor")
}

/** What a sum of whole numbers does beyond its kind's range. */
sealed trait Overflow
object Overflow {

  /** Two's complement, as Java's and non-ANSI Spark's `+`. */
  case object Wrap extends Overflow

  /** The exact sum is kept in 128 bits; reading one that does not fit the kind is refused. */
  case object Error extends Overflow
}

sealed abstract class Extreme(val name: String)
object Extreme {
  case object Least extends Extreme("min")
  case object Greatest extends Extreme("max")
}

object Column {

  /** A primitive with one of the known merges. */
  final case class Primitive(
      name: String,
      kind: Kind,
      merge: Merge,
      nullable: Boolean = false,
      overflow: Overflow = Overflow.Wrap
  ) extends Column {
    private val allowed = (kind, merge) match {
      case (Kind.Opaque, _) => false
      case (Kind.Boolean, Merge.Sum) => false
      case (_: Kind.Floating, Merge.And | Merge.Or | Merge.Xor) => false
      case _ => true
    }
    if (!allowed)
      throw new Refusal(
        "COLUMN_MERGE_UNSUPPORTED",
        s"Column '$name': ${kind.name} has no merge '${merge.name}'. Use another kind or merge, or a combiner column."
      )

    private[column] def exactSum: Boolean =
      merge == Merge.Sum && overflow == Overflow.Error && kind.isInstanceOf[Kind.Whole]

    private[column] def lanes: Seq[Lane] =
      if (exactSum) Seq(Lane(name, Kind.Long, nullable), Lane(s"$name.high", Kind.Long, nullable = false))
      else Seq(Lane(name, kind, nullable))
  }

  /** A value merged from outside. A present slot may have none: a null reference. */
  final case class Combined(name: String, combiner: Combiner) extends Column {
    private[column] def lanes: Seq[Lane] = Seq(Lane(name, Kind.Opaque, nullable = false))
  }

  /** Count, mean and sum of squared deviations of a population. */
  final case class Moments(name: String) extends Column {
    private[column] def lanes: Seq[Lane] =
      Seq("n", "mean", "m2").map(part => Lane(s"$name.$part", Kind.Double, nullable = false))
  }

  /** The greatest (or least) value and how often it occurred. Never null: a count of 0 is "none yet". */
  final case class ExtremeCount(name: String, kind: Kind, extreme: Extreme) extends Column {
    refuseOpaque(name, kind)
    private[column] def lanes: Seq[Lane] =
      Seq(Lane(s"$name.value", kind, nullable = false), Lane(s"$name.count", Kind.Long, nullable = false))
  }

  /** The value found where `by` is extreme. Of values with equal `by` the `tieBreak` one wins, null being least, so
    * that the winner does not depend on the order of merges.
    */
  final case class Arg(
      name: String,
      value: Kind,
      by: Kind,
      extreme: Extreme,
      tieBreak: Extreme = Extreme.Least
  ) extends Column {
    refuseOpaque(name, value)
    refuseOpaque(name, by)
    private[column] def lanes: Seq[Lane] =
      Seq(Lane(s"$name.value", value, nullable = true), Lane(s"$name.by", by, nullable = true))
  }

  private def refuseOpaque(name: String, kind: Kind): Unit =
    if (kind == Kind.Opaque)
      throw new Refusal(
        "COLUMN_KIND_UNSUPPORTED",
        s"Column '$name' compares its values, and opaque values have no order. Use a combiner column."
      )
}
