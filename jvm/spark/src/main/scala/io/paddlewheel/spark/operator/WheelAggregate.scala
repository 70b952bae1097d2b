package io.paddlewheel.spark.operator

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}

import io.paddlewheel.spark.spec.ResolvedSpec

/** Windows of a spec over an aggregate by keys and slot.
  *
  * The child is Spark's own `Aggregate`, grouped by the keys and then the instant, with the spec's aggregates after those.
  * So Spark checks, optimises and plans it as any other; only that its buffers are not evaluated for each slot but go into
  * wheels.
  *
  * @param results
  *   the aggregates in the output of the child, in order
  */
final case class WheelAggregate(
    spec: ResolvedSpec,
    keys: Seq[Attribute],
    results: Seq[Attribute],
    produced: Seq[Attribute],
    child: LogicalPlan
) extends UnaryNode {

  override def output: Seq[Attribute] = keys ++ produced

  override def producedAttributes: AttributeSet = AttributeSet(produced)

  override def maxRows: Option[Long] = None

  /** The optimizer may not leave out what is not asked for: it is all part of the state. */
  override lazy val references: AttributeSet = child.outputSet

  override protected def stringArgs: Iterator[Any] = Iterator(spec.spec.toJson)

  override protected def withNewChildInternal(newChild: LogicalPlan): WheelAggregate = copy(child = newChild)
}
