package io.paddlewheel.spark.operator

import org.apache.spark.sql.catalyst.expressions.{Expression, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.types.DataType

import io.paddlewheel.time.{Fixed, Granularity}

/** The start of the slot that an instant lies in. */
final case class SlotStart(child: Expression, grid: Granularity) extends UnaryExpression {
  override def nullIntolerant: Boolean = true
  override def dataType: DataType = child.dataType
  override def prettyName: String = "slot_start"

  override protected def nullSafeEval(micros: Any): Any = grid.floor(micros.asInstanceOf[Long])

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = grid match {
    // With the size in the code the compiler divides by a constant.
    case Fixed(size, origin) =>
      defineCodeGen(ctx, ev, micros => s"$micros - java.lang.Math.floorMod($micros - ${origin}L, ${size}L)")
    case calendar =>
      val slots = ctx.addReferenceObj("grid", calendar, classOf[Granularity].getName)
      defineCodeGen(ctx, ev, micros => s"$slots.floor($micros)")
  }

  override protected def withNewChildInternal(newChild: Expression): SlotStart = copy(child = newChild)
}
