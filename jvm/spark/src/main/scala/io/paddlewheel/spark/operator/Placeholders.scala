package io.paddlewheel.spark.operator

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.streaming.operators.stateful.StateStoreRestoreExec
import org.apache.spark.sql.types.TimestampType

import io.paddlewheel.spark.state.SpecLog

/** Nodes that stand where [[WheelAggregateExec]] will be until Spark has prepared the plan.
  *
  * Spark fills in state, output mode and watermarks only for operators it knows, so a wheel is first planned as
  *
  * {{{
  *   WheelOutput                what the operator above sees
  *     StateStoreSaveExec       is given state, output mode and watermarks
  *       WheelMerge             is told first where the state is
  *         StateStoreRestoreExec    asks for the exchange by keys
  *           WheelState         what Spark records as the schema of the state: keys, slot, buffers
  *             partial aggregate
  * }}}
  *
  * and [[WheelSwap]] puts the operator in the place of them all.
  */
sealed trait WheelPlaceholder extends UnaryExecNode {
  def blueprint: Blueprint

  override def outputPartitioning: Partitioning = child.outputPartitioning

  override protected def stringArgs: Iterator[Any] = Iterator.empty

  override protected def doExecute(): RDD[InternalRow] =
    throw new IllegalStateException(
      "Paddlewheel's columnar rule did not run. Load the session extension io.paddlewheel.spark.PaddlewheelExtension."
    )
}

final case class WheelOutput(blueprint: Blueprint, child: SparkPlan) extends WheelPlaceholder {
  override def output: Seq[Attribute] = blueprint.output

  override protected def withNewChildInternal(newChild: SparkPlan): WheelOutput = copy(child = newChild)
}

final case class WheelMerge(blueprint: Blueprint, child: SparkPlan) extends WheelPlaceholder {
  override def output: Seq[Attribute] = child.output

  /** This is before Spark compares schemas, so a spec that does not fit is refused by the name of its field. */
  override protected def withNewChildInternal(newChild: SparkPlan): WheelMerge = {
    newChild match {
      case StateStoreRestoreExec(_, Some(info), _, _) => SpecLog.check(info, blueprint.spec)
      case _ => ()
    }
    copy(child = newChild)
  }
}

final case class WheelState(blueprint: Blueprint, slot: Seq[Attribute], child: SparkPlan)
    extends WheelPlaceholder {

  override def output: Seq[Attribute] = blueprint.keys ++ slot

  override protected def withNewChildInternal(newChild: SparkPlan): WheelState = copy(child = newChild)
}

object WheelState {

  def apply(blueprint: Blueprint, child: SparkPlan): WheelState = {
    val bounds = Seq("slot_start", "slot_end").map(AttributeReference(_, TimestampType)())
    val buffers = blueprint.functions.zipWithIndex.flatMap { case (function, f) =>
      function.aggBufferAttributes.map { attribute =>
        AttributeReference(s"${function.prettyName}_${f}_${attribute.name}", attribute.dataType)()
      }
    }
    WheelState(blueprint, bounds ++ buffers, child)
  }
}
