package io.paddlewheel.spark.spec

import scala.util.control.NonFatal

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.{functions, Column, Dataset, Row}
import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  SubqueryExpression,
  UnresolvedWindowExpression,
  WindowExpression
}
import org.apache.spark.sql.catalyst.plans.logical.Aggregate

import io.paddlewheel.spark.spec.Checked._

/** Checks that an SQL text is an aggregate of a DataFrame's columns that slots can hold. */
private[spec] final class AggregateCheck(df: Dataset[Row], time: String) {

  private val input = df.queryExecution.analyzed
  private val parser = df.queryExecution.sparkSession.sessionState.sqlParser
  private val slots = new SlotCheck(time)

  def apply(field: String, sql: String): Checked[Column] =
    try
      for {
        _ <- onlyAggregates(field, sql, parser.parseExpression(sql))
        analyzed <- analyzed(field, sql)
        _ <- slots(field, sql, analyzed)
      } yield functions.expr(sql)
    catch {
      case error: SparkThrowable if NonFatal(error) => refusedBySpark(field, sql, error)
    }

  /** The analyzer would move these out of the aggregate, and then they are hard to name. */
  private def onlyAggregates(field: String, sql: String, parsed: Expression): Checked[Unit] = {
    val found = parsed.collectFirst {
      case _: WindowExpression | _: UnresolvedWindowExpression =>
        Fault(
          field,
          "AGGREGATE_OVER_WINDOW",
          s"'$sql' is a window function. Leave out OVER (…), and say in windows over what to aggregate."
        )
      case _: SubqueryExpression =>
        Fault(
          field,
          "AGGREGATE_WITH_SUBQUERY",
          s"'$sql' has a subquery. Join with it before, and aggregate a column of the result."
        )
    }
    found.map(Seq(_)).toLeft(())
  }

  private def analyzed(field: String, sql: String): Checked[Expression] = {
    val plan = df.groupBy().agg(functions.expr(sql).as("aggregate")).queryExecution.analyzed
    plan match {
      case Aggregate(Seq(), Seq(one), child, _) if child == input => Right(one)
      case _ =>
        fault(
          field,
          "AGGREGATE_MAKES_ROWS",
          s"'$sql' does more than aggregate: it makes rows, as explode or window do. " +
            "Do that before, and aggregate a column of the result."
        )
    }
  }

  private def refusedBySpark(
      field: String,
      sql: String,
      error: Throwable with SparkThrowable
  ): Checked[Nothing] = {
    val condition = Option(error.getCondition).getOrElse("AGGREGATE_REFUSED")
    condition match {
      case "MISSING_GROUP_BY" | "MISSING_AGGREGATION" => SlotCheck.notAnAggregate(field, sql)
      case _ =>
        fault(field, condition, s"Spark refuses '$sql': ${SparkMessage.of(error)} ${remedy(condition)}")
    }
  }

  private def remedy(condition: String): String = condition match {
    case "NESTED_AGGREGATE_FUNCTION" => "Aggregate once here, and aggregate the output again."
    case "WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE" => "Use an aggregate function instead, such as max_by."
    case "AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION" => SlotCheck.KeepAsColumn
    case _ => "Correct the expression; it may use any column and any aggregate function of Spark SQL."
  }
}
