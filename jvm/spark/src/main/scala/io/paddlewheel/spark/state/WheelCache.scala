package io.paddlewheel.spark.state

import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo
import org.apache.spark.sql.execution.streaming.state.{StateStore, StateStoreId, StateStoreProviderId}

/** The partitions that this process has in memory, each as of one version of its state.
  *
  * A task takes a partition out, and gives it back when it has committed; one that fails gives nothing back, and the next
  * reads the state. So what is here is what was committed.
  */
object WheelCache {
  private final case class Committed(version: Long, uniqueId: Option[String], partition: WheelPartition)

  private val partitions = new ConcurrentHashMap[StateStoreProviderId, Committed]

  /** The partition at the very version that the store has loaded. */
  def take(info: StatefulOperatorStateInfo, store: StateStore): Option[WheelPartition] = {
    val expected = info.getStateStoreCkptId(store.id.partitionId).map(_.head)
    Option(partitions.remove(idOf(info.queryRunId, store.id))).collect {
      case Committed(version, `expected`, partition) if version == store.version => partition
    }
  }

  /** Keeps a partition that the store has just committed. */
  def give(info: StatefulOperatorStateInfo, store: StateStore, partition: WheelPartition): Unit = {
    val committed = store.getStateStoreCheckpointInfo()
    partitions.put(
      idOf(info.queryRunId, store.id),
      Committed(committed.batchVersion, committed.stateStoreCkptId, partition)
    )
    ()
  }

  /** Forgets a partition whose provider is unloaded. */
  def drop(id: StateStoreProviderId): Unit = {
    partitions.remove(id)
    ()
  }

  private def idOf(run: UUID, store: StateStoreId): StateStoreProviderId = StateStoreProviderId(store, run)
}
