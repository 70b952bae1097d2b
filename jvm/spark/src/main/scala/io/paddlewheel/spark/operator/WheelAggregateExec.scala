package io.paddlewheel.spark.operator

import java.util.concurrent.TimeUnit.NANOSECONDS

import org.apache.hadoop.conf.Configuration
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.physical.{AllTuples, Distribution, Partitioning}
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.streaming.operators.stateful._
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.paddlewheel.SparkInside
import org.apache.spark.sql.streaming.OutputMode

import io.paddlewheel.spark.state._
import io.paddlewheel.time.Instants

/** Turns the wheels of a stream, one batch at a time.
  *
  * The child gives keys, instant and buffers. Output mode, state and watermarks are filled in by Spark, through the
  * [[WheelPlaceholder placeholders]].
  */
final case class WheelAggregateExec(
    blueprint: Blueprint,
    stateInfo: Option[StatefulOperatorStateInfo],
    outputMode: Option[OutputMode],
    lateWatermark: Option[Long],
    evictionWatermark: Option[Long],
    child: SparkPlan
) extends UnaryExecNode
    with StateStoreWriter {
  import WheelAggregateExec._

  override def shortName: String = "wheelAggregate"
  override def nodeName: String = "WheelAggregate"
  override def output: Seq[Attribute] = blueprint.output
  override def outputPartitioning: Partitioning = child.outputPartitioning
  override protected def stringArgs: Iterator[Any] = describe(blueprint) ++ outputMode.map(m => s"mode=$m")

  override def requiredChildDistribution: Seq[Distribution] = Seq(
    if (blueprint.keys.isEmpty) AllTuples
    else StatefulOperatorPartitioning.getCompatibleDistribution(blueprint.keys, getStateInfo, conf)
  )

  /** Without keys there is one partition, whatever their number is; Spark would wait for all of them to commit. */
  override val stateStoreNames: Seq[String] =
    if (blueprint.keys.isEmpty) Nil else Seq(StateStoreId.DEFAULT_STORE_NAME)

  /** The schema was recorded for the placeholder. */
  override def validateAndMaybeEvolveStateSchema(
      hadoopConf: Configuration,
      batchId: Long,
      stateSchemaVersion: Int
  ): List[StateSchemaValidationResult] = Nil

  /** Windows may end without any more rows. */
  override def shouldRunAnotherBatch(newInputWatermark: Long): Boolean =
    evictionWatermark.exists(newInputWatermark > _)

  override protected def customStatefulOperatorMetrics: Seq[StatefulOperatorCustomMetric] = Metrics

  override protected def doExecute(): RDD[InternalRow] = {
    metrics // made on the driver
    val updates = OperatorCheck.updates(blueprint, outputMode, conf.stateStoreProviderClass)
    SpecLog.record(getStateInfo, blueprint.spec)
    val mostInMemory = conf.getConfString(CacheKeys, DefaultCacheKeys).toInt
    val plan = blueprint
    val input = child.output
    val info = getStateInfo
    child
      .execute()
      .mapPartitionsWithStateStore[InternalRow](
        info,
        StateRows.KeySchema,
        StateRows.ValueSchema,
        RangeKeyScanStateEncoderSpec(StateRows.KeySchema, StateRows.Ordering),
        session.sessionState,
        Some(SparkInside.coordinator(session)),
        // Without column families the changelog has no ranges to delete.
        useColumnFamilies = true
      ) { (store: StateStore, rows: Iterator[InternalRow]) =>
        val cached = WheelCache.take(info, store)
        val partition = cached.getOrElse(new WheelPartition(plan, updates))
        partition.open(new StateRows(store, plan.keys.size))
        val late = micros(lateWatermark)
        // Where late rows are held to a later watermark than the state has seen, windows up to there end first.
        val earlier = if (late > partition.watermark) partition.turn(late, late).toArray else NoRows
        longMetric("allUpdatesTimeMs") += timeTakenMs(mergeAll(partition, rows, plan, input, late))
        new WheelOutputRows(store, partition, earlier, micros(evictionWatermark), late, mostInMemory)
      }
  }

  private def mergeAll(
      partition: WheelPartition,
      rows: Iterator[InternalRow],
      plan: Blueprint,
      input: Seq[Attribute],
      late: Long
  ): Unit = {
    val keyOf = UnsafeProjection.create(plan.keys, input)
    val instant = plan.keys.size
    while (rows.hasNext) {
      val row = rows.next()
      partition.merge(keyOf(row), row.getLong(instant), row, instant + 1, late)
    }
  }

  /** The rows of the batch; the state is committed when they have been taken. */
  private final class WheelOutputRows(
      store: StateStore,
      partition: WheelPartition,
      earlier: Array[UnsafeRow],
      until: Long,
      late: Long,
      mostInMemory: Int
  ) extends Iterator[InternalRow] {
    private val began = System.nanoTime
    private val rows = earlier.iterator ++ partition.turn(until, late)
    private var committed = false

    override def hasNext: Boolean = {
      val more = rows.hasNext
      if (!more && !committed) commit()
      more
    }

    override def next(): InternalRow = rows.next()

    private def commit(): Unit = {
      committed = true
      partition.close(mostInMemory)
      longMetric("allRemovalsTimeMs") += NANOSECONDS.toMillis(System.nanoTime - began)
      longMetric("commitTimeMs") += timeTakenMs(store.commit())
      reportStore(store, partition.stateRows)
      setOperatorMetrics()
      report(partition)
      WheelCache.give(getStateInfo, store, partition)
    }
  }

  /** As `setStoreMetrics`, but for the number of rows: the store does not see how many a range that it deleted had. */
  private def reportStore(store: StateStore, stateRows: Long): Unit = {
    val found = store.metrics
    longMetric("numTotalStateRows") += stateRows
    longMetric("stateMemory") += found.memoryUsedBytes
    setStoreCustomMetrics(found.customMetrics)
    if (stateStoreNames.nonEmpty) setStoreInstanceMetrics(found.instanceMetrics)
    val checkpoint = store.getStateStoreCheckpointInfo()
    setStateStoreCheckpointInfo(
      StatefulOpStateStoreCheckpointInfo(
        checkpoint.partitionId,
        checkpoint.batchVersion,
        checkpoint.stateStoreCkptId.map(Array(_)),
        checkpoint.baseStateStoreCkptId.map(Array(_))
      )
    )
  }

  private def report(partition: WheelPartition): Unit = {
    val done = partition.metrics
    longMetric("numOutputRows") += done.emitted
    longMetric("numUpdatedStateRows") += done.rotationsWritten
    longMetric("numRemovedStateRows") += done.removed
    longMetric("numRowsDroppedByWatermark") += done.dropped
    longMetric(SlotsSealed) += done.slotsSealed
    longMetric(RotationsWritten) += done.rotationsWritten
    longMetric(WindowsEmitted) += done.emitted
    longMetric(CacheHits) += done.hits
    longMetric(CacheMisses) += done.misses
    longMetric(LiveKeys) += partition.liveKeys
  }

  override protected def withNewChildInternal(newChild: SparkPlan): WheelAggregateExec =
    copy(child = newChild)
}

object WheelAggregateExec {

  /** How many keys of a partition are kept in memory from one batch to the next. */
  val CacheKeys = "spark.sql.streaming.stateStore.wheel.cacheKeys"
  private val DefaultCacheKeys = "1000000"

  private val SlotsSealed = "wheelSlotsSealed"
  private val RotationsWritten = "wheelRotationsWritten"
  private val WindowsEmitted = "wheelWindowsEmitted"
  private val CacheHits = "wheelCacheHits"
  private val CacheMisses = "wheelCacheMisses"
  private val LiveKeys = "wheelLiveKeys"

  private val Metrics = Seq(
    StatefulOperatorCustomSumMetric(SlotsSealed, "slots sealed"),
    StatefulOperatorCustomSumMetric(RotationsWritten, "rotations written"),
    StatefulOperatorCustomSumMetric(WindowsEmitted, "windows emitted"),
    StatefulOperatorCustomSumMetric(CacheHits, "rows whose wheel was in memory"),
    StatefulOperatorCustomSumMetric(CacheMisses, "rows whose wheel was not in memory"),
    StatefulOperatorCustomSumMetric(LiveKeys, "keys with an open slot or window")
  )

  private val NoRows = Array.empty[UnsafeRow]

  private def micros(watermark: Option[Long]): Long =
    watermark.fold(Instants.Min)(ms => math.min(Instants.Max / 1000, ms) * 1000)

  /** What a plan shows of the operator. */
  def describe(blueprint: Blueprint): Iterator[Any] = Iterator(
    s"keys=[${blueprint.keys.map(_.name).mkString(", ")}]",
    s"windows=[${blueprint.windows.map(_._1).mkString(", ")}]",
    s"aggregates=[${blueprint.spec.aggregates.map { case (name, sql) => s"$sql AS $name" }.mkString(", ")}]",
    s"levels=[${blueprint.spec.levels.map(_._1).mkString(", ")}]"
  )
}
