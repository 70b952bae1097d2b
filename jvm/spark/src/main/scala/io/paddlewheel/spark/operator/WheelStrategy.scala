package io.paddlewheel.spark.operator

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, NamedExpression}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Partial}
import org.apache.spark.sql.catalyst.planning.PhysicalAggregation
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.execution.{LocalTableScanExec, SparkPlan, SparkStrategy}
import org.apache.spark.sql.execution.aggregate.{
  HashAggregateExec,
  ObjectHashAggregateExec,
  SortAggregateExec
}
import org.apache.spark.sql.execution.streaming.operators.stateful.{StateStoreRestoreExec, StateStoreSaveExec}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.paddlewheel.SparkInside

/** Plans wheels: Spark's own partial aggregate by keys and slot, an exchange by keys, and the operator. */
object WheelStrategy extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case wheel @ WheelAggregate(
          _,
          _,
          _,
          _,
          Flattened(PhysicalAggregation(grouping, aggregates, results, child))
        ) =>
      val groups = grouping.map(normalized)
      val blueprint = blueprintOf(wheel, groups.map(_.toAttribute), aggregates, results)
      val partial = partialAggregate(plan.isStreaming, groups, aggregates, planLater(child))
      if (plan.isStreaming) Seq(WheelOutput(blueprint, stateful(blueprint, partial)))
      else Seq(WheelBatchExec(blueprint, partial))
    case wheel @ WheelAggregate(_, _, _, _, empty: LocalRelation)
        if empty.data.isEmpty && !wheel.isStreaming =>
      // The optimizer has found that there are no rows.
      Seq(LocalTableScanExec(wheel.output, Nil, None))
    case _ => Nil
  }

  /** The aggregate with what the optimizer has moved out of it, say because it is asked for twice, back inside. */
  private object Flattened {
    def unapply(plan: LogicalPlan): Option[LogicalPlan] = plan match {
      case aggregate: Aggregate => Some(aggregate)
      case Project(fields, Flattened(below: Aggregate)) =>
        val inside = below.aggregateExpressions.map(field => field.exprId -> field).toMap
        val whole = fields.map {
          case field: Attribute => inside.getOrElse(field.exprId, field)
          case alias: Alias =>
            val child = alias.child.transform { case field: Attribute =>
              inside.get(field.exprId).fold[Expression](field) {
                case Alias(made, _) => made
                case other => other
              }
            }
            alias.withNewChildren(Seq(child)).asInstanceOf[NamedExpression]
          case other => other
        }
        Some(below.copy(aggregateExpressions = whole))
      case _ => None
    }
  }

  private def stateful(blueprint: Blueprint, partial: SparkPlan): SparkPlan =
    StateStoreSaveExec(
      blueprint.keys,
      stateFormatVersion = StateFormat,
      child = WheelMerge(
        blueprint,
        StateStoreRestoreExec(blueprint.keys, None, StateFormat, WheelState(blueprint, partial))
      )
    )

  private def blueprintOf(
      wheel: WheelAggregate,
      groups: Seq[Attribute],
      aggregates: Seq[AggregateExpression],
      results: Seq[NamedExpression]
  ): Blueprint = {
    val byId = results.map(result => result.exprId -> result).toMap
    Blueprint(
      wheel.spec.spec,
      wheel.spec.levels,
      wheel.spec.windows,
      wheel.spec.allowedLateness,
      wheel.spec.emission,
      groups.init,
      aggregates.map(_.aggregateFunction).toIndexedSeq,
      aggregates.map(_.resultAttribute).toIndexedSeq,
      wheel.results.map(result => byId(result.exprId)),
      wheel.output
    )
  }

  /** As Spark's own planner does for the groups of an aggregate: -0.0 is 0.0, and one NaN is as good as another. */
  private def normalized(group: NamedExpression): NamedExpression =
    SparkInside.normalize(group) match {
      case named: NamedExpression => named
      case other => Alias(other, group.name)(exprId = group.exprId)
    }

  /** The first half of what Spark plans for an aggregate, by the operator it would choose. */
  private def partialAggregate(
      streaming: Boolean,
      groups: Seq[NamedExpression],
      aggregates: Seq[AggregateExpression],
      child: SparkPlan
  ): SparkPlan = {
    val conf = SQLConf.get
    val partial = aggregates.map(_.copy(mode = Partial))
    val functions = partial.map(_.aggregateFunction)
    val buffers = functions.flatMap(_.aggBufferAttributes)
    val results = groups.map(_.toAttribute) ++ functions.flatMap(_.inputAggBufferAttributes)
    if (conf.useHashAggregation && Aggregate.supportsHashAggregate(buffers, groups))
      HashAggregateExec(None, streaming, None, groups, partial, buffers, 0, results, child)
    else if (conf.useObjectHashAggregation && Aggregate.supportsObjectHashAggregate(partial, groups))
      ObjectHashAggregateExec(None, streaming, None, groups, partial, buffers, 0, results, child)
    else SortAggregateExec(None, streaming, None, groups, partial, buffers, 0, results, child)
  }

  private val StateFormat = 2
}
