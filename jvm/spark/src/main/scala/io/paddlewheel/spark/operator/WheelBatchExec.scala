package io.paddlewheel.spark.operator

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Ascending, Attribute, SortOrder, UnsafeProjection}
import org.apache.spark.sql.catalyst.plans.physical.{
  AllTuples,
  ClusteredDistribution,
  Distribution,
  Partitioning
}
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.SQLMetrics

/** Wheels over a DataFrame that is not a stream: every window of it, and no state. */
final case class WheelBatchExec(blueprint: Blueprint, child: SparkPlan) extends UnaryExecNode {
  override def nodeName: String = "WheelAggregate"
  override def output: Seq[Attribute] = blueprint.output
  override def outputPartitioning: Partitioning = child.outputPartitioning
  override protected def stringArgs: Iterator[Any] = WheelAggregateExec.describe(blueprint)

  override lazy val metrics = Map(
    "numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows")
  )

  override def requiredChildDistribution: Seq[Distribution] =
    Seq(if (blueprint.keys.isEmpty) AllTuples else ClusteredDistribution(blueprint.keys))

  override def requiredChildOrdering: Seq[Seq[SortOrder]] = Seq(blueprint.keys.map(SortOrder(_, Ascending)))

  override protected def doExecute(): RDD[InternalRow] = {
    val rows = longMetric("numOutputRows")
    val plan = blueprint
    val input = child.output
    child.execute().mapPartitions { partials =>
      val keyOf = UnsafeProjection.create(plan.keys, input)
      new WholeHistory(new WheelParts(plan), keyOf(_))(partials).map { row =>
        rows += 1
        row
      }
    }
  }

  override protected def withNewChildInternal(newChild: SparkPlan): WheelBatchExec = copy(child = newChild)
}
