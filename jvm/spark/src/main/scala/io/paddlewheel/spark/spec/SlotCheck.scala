package io.paddlewheel.spark.spec

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  PythonFuncExpression,
  PythonUDAF,
  RuntimeReplaceable
}
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.trees.TreePattern.CURRENT_LIKE
import org.apache.spark.sql.catalyst.util.{quoteIfNeeded, toPrettySQL}

import io.paddlewheel.spark.spec.Checked._

/** Whether slots can hold an analyzed aggregate: what it holds must merge, in any order, to the same result. */
private[spec] final class SlotCheck(time: String) {

  def apply(field: String, sql: String, analyzed: Expression): Checked[Unit] = {
    val aggregates = analyzed.collect { case aggregate: AggregateExpression => aggregate }
    if (aggregates.isEmpty) SlotCheck.notAnAggregate(field, sql)
    else {
      val found = aggregates.flatMap(distinct).take(1) ++ aggregates.flatMap(inOrder) ++ python(analyzed) ++
        current(analyzed) ++ random(analyzed)
      if (found.isEmpty) Right(())
      else Left(found.map { case (condition, message) => Fault(field, condition, s"'$sql' $message") })
    }
  }

  private type Found = (String, String)

  private def distinct(aggregate: AggregateExpression): Option[Found] =
    Option.when(aggregate.isDistinct) {
      val remedy = aggregate.aggregateFunction match {
        case Count(Seq(one)) => s"Use approx_count_distinct(${toPrettySQL(one)})."
        case count: Count => s"Use approx_count_distinct(struct(${arguments(count)}))."
        case other => s"Leave out DISTINCT, or work on the array of collect_set(${arguments(other)})."
      }
      ("AGGREGATE_DISTINCT", s"is DISTINCT, which would need every value in every slot. $remedy")
    }

  private def inOrder(aggregate: AggregateExpression): Option[Found] = {
    val function = aggregate.aggregateFunction
    val ran = function match {
      case replaced: RuntimeReplaceable => replaced.replacement
      case other => other
    }
    def value = function.children.headOption.fold("x")(toPrettySQL(_))
    val remedy = ran match {
      case _: First => Some(s"min_by($value, ${quoteIfNeeded(time)})")
      case _: Last => Some(s"max_by($value, ${quoteIfNeeded(time)})")
      case list: ListAgg if !list.orderingFilled =>
        Some(s"${function.prettyName}(…) WITHIN GROUP (ORDER BY $value)")
      case _ => None
    }
    remedy.map { instead =>
      (
        "AGGREGATE_DEPENDS_ON_ORDER",
        s"uses ${function.prettyName}, which depends on the order in which rows come. Use $instead."
      )
    }
  }

  private def python(analyzed: Expression): Option[Found] = {
    val functions = analyzed.collect { case function: PythonFuncExpression => function }
    functions.headOption.map {
      case aggregate: PythonUDAF =>
        (
          "AGGREGATE_IN_PYTHON",
          s"uses ${aggregate.name}, an aggregate written in Python, and what it holds cannot be merged. " +
            "Write it by aggregates of SQL."
        )
      case function =>
        (
          "AGGREGATE_IN_PYTHON",
          s"calls ${function.name}, which is written in Python. Call it before, and aggregate the column it makes."
        )
    }
  }

  private def current(analyzed: Expression): Option[Found] =
    analyzed
      .find(e => e.containsPattern(CURRENT_LIKE) && !e.children.exists(_.containsPattern(CURRENT_LIKE)))
      .map { e =>
        (
          "AGGREGATE_OF_NOW",
          s"uses ${e.prettyName}, whose value may differ from batch to batch and for every reader. Pass a literal."
        )
      }

  private def random(analyzed: Expression): Option[Found] =
    analyzed.find(e => !e.deterministic && e.children.forall(_.deterministic)).map { e =>
      (
        "AGGREGATE_NOT_DETERMINISTIC",
        s"uses ${e.prettyName}, which may give another value every time. ${SlotCheck.KeepAsColumn}"
      )
    }

  private def arguments(function: AggregateFunction): String =
    function.children.map(toPrettySQL(_)).mkString(", ")
}

private[spec] object SlotCheck {

  val KeepAsColumn: String = "Leave it out, or make it a column of the DataFrame before."

  def notAnAggregate(field: String, sql: String): Checked[Nothing] =
    fault(
      field,
      "NOT_AN_AGGREGATE",
      s"'$sql' is not an aggregate: each column must be inside of an aggregate function, and there must be one. " +
        s"Use one, such as max(…) or count(*); to group by a column, add it to keys."
    )
}
