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
            WheelState(_, _, StateStoreRestoreExec(_, _, _, child))
          )
        ) =>
      WheelAggregateExec(blueprint, info, mode, late, eviction, child)
  }

  /** The last point before execution at which an extension sees the plan. */
  val rule: ColumnarRule = new ColumnarRule {
    override def preColumnarTransitions: Rule[SparkPlan] = WheelSwap
  }
}
