package io.paddlewheel.spark

import org.apache.spark.sql.{DataFrame, Dataset, Row}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LogicalPlan, Project}
import org.apache.spark.sql.classic.{Dataset => ClassicDataset}
import org.apache.spark.sql.paddlewheel.SparkInside
import org.apache.spark.sql.types._

import io.paddlewheel.spark.operator.{SlotStart, WheelAggregate}
import io.paddlewheel.spark.spec.{ResolvedSpec, SpecCheck, WheelSpec}
import io.paddlewheel.window.Window

/** The front door of the JVM half; the Python package calls it. */
object Paddlewheel {

  /** The windows of a spec over a DataFrame, streaming or not: keys, `window_name` if there are several, `window`, and
    * the aggregates.
    */
  def aggregate(df: Dataset[Row], spec: String): DataFrame = aggregate(df, WheelSpec.fromJson(spec))

  def aggregate(df: Dataset[Row], spec: WheelSpec): DataFrame = {
    val resolved = SpecCheck.resolve(df, spec)
    val frame = df.asInstanceOf[ClassicDataset[Row]]
    SparkInside.frame(frame.sparkSession, new WheelPlan(frame, resolved).plan)
  }
}

/** The logical plan of a spec over a DataFrame. */
private final class WheelPlan(frame: ClassicDataset[Row], spec: ResolvedSpec) {
  import spec.{keys, time}

  private val input = frame.queryExecution.analyzed

  /** Rows without a time are in no window. */
  private val timed: LogicalPlan = {
    // Sessions start and end with their events, so these may not be put together by slot before they are merged.
    val exact = spec.windows.exists(_._2.isInstanceOf[Window.Session])
    val slot = if (exact) time else SlotStart(time, spec.levels.base)
    val instant = Alias(slot, WheelPlan.Instant)(explicitMetadata = Some(time.metadata))
    Project(input.output :+ instant, Filter(IsNotNull(time), input))
  }

  def plan: LogicalPlan = {
    val aggregate = grouped
    val results = aggregate.output.drop(keys.size + 1)
    val names =
      if (spec.windows.size > 1) Seq(AttributeReference("window_name", StringType, nullable = false)())
      else Nil
    WheelAggregate(
      spec,
      keys,
      results,
      names ++ Seq(window) ++ results.map(_.newInstance()),
      aggregate
    )
  }

  /** Spark's own analysis of the aggregates, by keys and instant. */
  private def grouped: Aggregate = {
    val columns = SparkInside.frame(frame.sparkSession, timed)
    val grouping = keys.map(key => columns.col(quoted(key.name))) :+ columns.col(WheelPlan.Instant)
    val aggregates = spec.aggregates.map { case (name, column) => column.as(name) }
    columns.groupBy(grouping: _*).agg(aggregates.head, aggregates.tail: _*).queryExecution.analyzed match {
      case aggregate: Aggregate => aggregate
      case other => throw new IllegalStateException(s"Expected an aggregate, but Spark made of it:\n$other")
    }
  }

  /** The window column, which downstream operators take as event time, as they do Spark's own. */
  private def window: Attribute = {
    val bounds = StructType(Seq("start", "end").map(StructField(_, time.dataType)))
    val metadata =
      new MetadataBuilder().withMetadata(time.metadata).putBoolean(TimeWindow.marker, true).build()
    AttributeReference("window", bounds, nullable = false, metadata)()
  }

  private def quoted(name: String): String = s"`${name.replace("`", "``")}`"
}

private object WheelPlan {
  val Instant = "__paddlewheel_instant"
}
