package io.paddlewheel.spark.spec

import org.apache.spark.sql.{Dataset, Row}
import org.apache.spark.sql.catalyst.expressions.{Attribute, RowOrdering}
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.types.{DataType, StructType, TimestampNTZType, TimestampType}

import io.paddlewheel.spark.spec.Checked._

/** Finds the columns of a DataFrame that a spec names, and checks what they are used for. */
private[spec] final class ColumnCheck(df: Dataset[Row]) {

  private val output: Seq[Attribute] = df.queryExecution.analyzed.output

  /** Whether the session takes two names for one. */
  val same: (String, String) => Boolean = df.queryExecution.sparkSession.sessionState.conf.resolver

  def key(field: String, name: String): Checked[Attribute] =
    find(field, name).flatMap { attribute =>
      ungroupable(attribute.dataType) match {
        case None => Right(attribute)
        case Some(remedy) =>
          fault(
            field,
            "KEY_NOT_GROUPABLE",
            s"'$name' is of the type ${attribute.dataType.sql}, which a wheel cannot be kept by. $remedy"
          )
      }
    }

  def time(name: String): Checked[Attribute] =
    find("time", name).flatMap { attribute =>
      attribute.dataType match {
        case TimestampType | TimestampNTZType => watermarked(attribute)
        case other =>
          fault(
            "time",
            "TIME_NOT_A_TIMESTAMP",
            s"'$name' is of the type ${other.sql}, and time must be a timestamp. " +
              s"Cast it first, such as by to_timestamp($name)."
          )
      }
    }

  private def watermarked(time: Attribute): Checked[Attribute] =
    if (!df.isStreaming || time.metadata.contains(EventTimeWatermark.delayKey)) Right(time)
    else {
      val onAnother = output.find(_.metadata.contains(EventTimeWatermark.delayKey))
      val found = onAnother.fold("the stream has none")(other => s"the stream's is on '${other.name}'")
      // Spark takes watermarks only on a timestamp with a zone.
      val cast = if (time.dataType == TimestampNTZType) s"cast '${time.name}' to timestamp, then " else ""
      fault(
        "time",
        "WATERMARK_MISSING",
        s"A stream needs a watermark on its time column, '${time.name}', and $found. " +
          s"""Before aggregating, ${cast}use df.withWatermark("${time.name}", "10 minutes")."""
      )
    }

  private def find(field: String, name: String): Checked[Attribute] =
    output.filter(attribute => same(attribute.name, name)) match {
      case Seq(one) => Right(one)
      case Seq() if name.trim.isEmpty =>
        fault(field, "NAME_EMPTY", s"A name in ${field.takeWhile(_ != '[')} is empty. Give it one.")
      case Seq() =>
        fault(field, "COLUMN_UNKNOWN", s"The DataFrame has no column '$name'. ${remedy(name)}")
      case many =>
        fault(
          field,
          "COLUMN_AMBIGUOUS",
          s"The DataFrame has ${many.size} columns '$name'. Rename all but one of them."
        )
    }

  private def remedy(name: String): String = {
    val outer = name.takeWhile(_ != '.')
    val inStruct = outer != name && output.exists { attribute =>
      same(attribute.name, outer) && attribute.dataType.isInstanceOf[StructType]
    }
    if (inStruct) s"For a field of '$outer', make it a column first: df.withColumn(…, col(\"$name\"))."
    else CloseNames.advice(name, output.map(_.name))
  }

  /** What to do about a type that has no order, or has equal values of different bytes. */
  private def ungroupable(dataType: DataType): Option[String] =
    if (!RowOrdering.isOrderable(dataType)) Some("Use a column of plain values, such as one of its fields.")
    else if (!UnsafeRowUtils.isBinaryStable(dataType)) Some("Collate it by UTF8_BINARY first.")
    else None
}
