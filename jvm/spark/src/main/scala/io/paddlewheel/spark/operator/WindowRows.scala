package io.paddlewheel.spark.operator

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.paddlewheel.column.Cells
import io.paddlewheel.spark.buffer.SlotSchema

/** Makes the rows of the output: evaluates the aggregates, and what the user wrote around them, in generated code. */
final class WindowRows(blueprint: Blueprint, slots: SlotSchema) {
  import blueprint._

  private val names = windows.map { case (name, _) => UTF8String.fromString(name) }
  private val name = AttributeReference("window_name", StringType, nullable = false)()
  private val bound = if (timeType == TimestampNTZType) TimestampNTZType else TimestampType
  private val start = AttributeReference("start", bound, nullable = false)()
  private val end = AttributeReference("end", bound, nullable = false)()
  private val lowered = functions.flatMap(SlotSchema.lowered)

  private def timeType: DataType =
    blueprint.output(keys.size + (if (namesWindows) 1 else 0)).dataType match {
      case window: StructType => window.head.dataType
      case other => other
    }

  private val project: UnsafeProjection = {
    val evaluated = functionResults.map(_.exprId).zip(functions.map(SlotSchema.evaluation)).toMap
    val aggregates = results.map(_.transform {
      case result: AttributeReference if evaluated.contains(result.exprId) => evaluated(result.exprId)
    })
    val window = CreateNamedStruct(Seq(Literal("start"), start, Literal("end"), end))
    val fields = keys ++ (if (namesWindows) Seq(name) else Nil) ++ Seq(window) ++ aggregates
    UnsafeProjection.create(fields, keys ++ Seq(name, start, end) ++ lowered)
  }

  private val fields = new SpecificInternalRow((Seq(name, start, end) ++ lowered).map(_.dataType))
  private val both = new JoinedRow

  /** The row of one window of a key. It is the caller's own. */
  def apply(key: InternalRow, window: Int, from: Long, until: Long, value: Cells): UnsafeRow = {
    fields.update(0, names(window))
    fields.setLong(1, from)
    fields.setLong(2, until)
    slots.lower(value, 0, fields, 3)
    project(both(key, fields)).copy()
  }
}
