package io.paddlewheel

import io.paddlewheel.column.{Column, Extreme, Kind, Merge, Overflow}

/** Keeps every row and answers by folding plain values: slow, and easy to check by eye. It knows no level, no slot and
  * no kernel. What a value is, for a row and for an answer alike, [[Plain]] says.
  */
final class Oracle(columns: Seq[Column]) {
  private var rows = Vector.empty[(Long, Seq[Any])]

  def add(instant: Long, values: Seq[Any]): Unit = rows :+= instant -> values

  def instants: Seq[Long] = rows.map(_._1)

  /** One value for each column, or none where there are no rows. */
  def answer(start: Long, end: Long): Option[Seq[Any]] =
    fold(rows.collect { case (instant, values) if start <= instant && instant < end => values })

  def everything: Option[Seq[Any]] = fold(rows.map(_._2))

  private def fold(found: Seq[Seq[Any]]): Option[Seq[Any]] =
    Option.when(found.nonEmpty)(columns.indices.map(c => Oracle.fold(columns(c), found.map(_(c)))))
}

object Oracle {

  def fold(column: Column, values: Seq[Any]): Any = column match {
    case Column.Primitive(_, kind: Kind.Whole, merge, _, overflow) =>
      values.collect { case Some(v: BigInt) => v }.reduceOption(whole(kind, merge, overflow))
    case Column.Primitive(_, _, merge, _, _) =>
      val known = values.collect { case Some(v: Double) => v }
      if (merge == Merge.Sum) known.reduceOption(_ + _)
      else if (merge == Merge.Min) known.minOption(total)
      else known.maxOption(total)
    case _: Column.Combined =>
      values.flatMap { case set: Set[_] => set.toSet[Any]; case _ => Set.empty[Any] }.toSet
    case _: Column.Moments =>
      val all = values.collect { case (1.0, v: Double, _) => v }
      val mean = if (all.isEmpty) 0.0 else all.sum / all.size
      (all.size.toDouble, mean, all.map(v => (v - mean) * (v - mean)).sum)
    case Column.ExtremeCount(_, _, extreme) =>
      val known = values.collect { case (Some(v: Double), _) => v }
      val tied = known.filter(v => known.forall(other => sql.compare(v, other) * sign(extreme) >= 0))
      (tied.minOption(total), tied.size)
    case Column.Arg(_, _, _, extreme, tieBreak) =>
      val known = values.collect { case (v: Option[_], Some(by: Double)) =>
        (v.collect { case d: Double => d }, by)
      }
      val tied = known.filter(v => known.forall(other => sql.compare(v._2, other._2) * sign(extreme) >= 0))
      val ranked = if (tieBreak == Extreme.Least) tied.map(_._1).minOption else tied.map(_._1).maxOption
      (ranked.flatten, tied.filter(v => ranked.contains(v._1)).map(_._2).minOption(total))
  }

  private def whole(kind: Kind.Whole, merge: Merge, overflow: Overflow)(a: BigInt, b: BigInt): BigInt =
    merge match {
      case Merge.Sum if overflow == Overflow.Error => a + b
      case Merge.Sum => (a + b - kind.min).mod(BigInt(kind.max) - kind.min + 1) + kind.min
      case Merge.Min => a.min(b)
      case Merge.Max => a.max(b)
      case Merge.And => a & b
      case Merge.Or => a | b
      case Merge.Xor => a ^ b
    }

  private implicit val total: Ordering[Double] = Ordering.Double.TotalOrdering
  private val sql: Ordering[Double] = total.on(v => if (v == 0.0) 0.0 else v)
  private def sign(extreme: Extreme): Int = if (extreme == Extreme.Greatest) 1 else -1
}
