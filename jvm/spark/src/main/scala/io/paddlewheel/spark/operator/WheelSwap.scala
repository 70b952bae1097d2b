package io.paddlewheel.spark.operator

import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}
import org.apache.spark.sql.execution.streaming.operators.stateful.{StateStoreRestoreExec, StateStoreSaveExec}

/** Puts the operator in the place of its [[WheelPlaceholder placeholders]], once Spark has filled these in. */
object WheelSwap extends Rule[SparkPlan] {

  override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
    case WheelOutput(
          blueprint,
          StateStoreSaveExec(
            _,
            info,
            mode,
            late,
            eviction,
            _,
            WheelMerge(_, StateStoreRestoreExec(_, _, _, child))
          )
        ) =>
      WheelAggregateExec(blueprint, info, mode, late, eviction, partialOf(child))
  }

  /** The partial aggregate, with the exchange above it that Spark put in, if it did. */
  private def partialOf(plan: SparkPlan): SparkPlan = plan match {
    case WheelState(_, _, partial) => partial
    case other => other.withNewChildren(other.children.map(partialOf))
  }

  /** The last point before execution at which an extension sees the plan. */
  val rule: ColumnarRule = new ColumnarRule {
    override def preColumnarTransitions: Rule[SparkPlan] = WheelSwap
  }
}
