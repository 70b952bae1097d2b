package org.apache.spark.sql.paddlewheel

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.{Dataset, SparkSession}
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.streaming.state.StateStoreCoordinatorRef

/** The members of Spark that only its own packages may call. Nothing but calls belongs here. */
object SparkInside {

  def frame(session: SparkSession, plan: LogicalPlan): DataFrame = Dataset.ofRows(session, plan)

  def coordinator(session: SparkSession): StateStoreCoordinatorRef = session.streams.stateStoreCoordinator

  /** The error of Spark's own ANSI sums. */
  def sumOverflow(): ArithmeticException =
    QueryExecutionErrors.arithmeticOverflowError("long overflow", suggestedFunc = "try_sum")

  def normalize(grouping: Expression): Expression = NormalizeFloatingNumbers.normalize(grouping)
}
