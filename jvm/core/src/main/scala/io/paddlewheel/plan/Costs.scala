package io.paddlewheel.plan

import java.util.Properties

import io.paddlewheel.column.{Column, Kind, Merge, Schema}

/** What touching slots costs, in nanoseconds. The constants are fitted by the benchmark `costs` and kept in
  * `costs.properties`; they are never typed.
  *
  * @param piece      finding the two ends of a span of slots
  * @param difference one column of a span by its running totals
  * @param whole      one slot of a column of whole numbers
  * @param floating   one slot of a floating-point column
  * @param group      one slot of a column group
  * @param combined   one slot of a combiner column; the engine cannot know it, this is that of a small byte string
  * @param landmark   reading the total of everything
  */
final case class Costs(
    piece: Double,
    difference: Double,
    whole: Double,
    floating: Double,
    group: Double,
    combined: Double,
    landmark: Double
) {

  /** Cost of a span and of each slot in it, for all columns of a schema together. */
  private[plan] def of(schema: Schema): (Double, Double) = {
    val (differences, folds) = schema.columns.partition {
      case Column.Primitive(_, _: Kind.Whole, Merge.Sum | Merge.Xor, _, _) => true
      case _ => false
    }
    val perSlot = folds.map {
      case Column.Primitive(_, _: Kind.Whole, _, _, _) => whole
      case _: Column.Primitive => floating
      case _: Column.Combined => combined
      case _ => group
    }
    (piece + difference * differences.size, perSlot.sum)
  }
}

object Costs {

  /** The fitted constants. */
  lazy val fitted: Costs = {
    val stored = new Properties
    val in = getClass.getResourceAsStream("/io/paddlewheel/plan/costs.properties")
    try stored.load(in)
    finally in.close()
    def ns(name: String): Double = stored.getProperty(name).toDouble
    Costs(
      ns("piece"),
      ns("difference"),
      ns("whole"),
      ns("floating"),
      ns("group"),
      ns("combined"),
      ns("landmark")
    )
  }
}
