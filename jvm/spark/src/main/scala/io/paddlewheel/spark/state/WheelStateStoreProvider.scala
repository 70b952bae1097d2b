package io.paddlewheel.spark.state

import java.util.UUID

import org.apache.hadoop.conf.Configuration
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.paddlewheel.RocksDBProvider
import org.apache.spark.sql.types.StructType

/** Spark's RocksDB state, for wheels and for every other stateful operator alike. */
class WheelStateStoreProvider extends RocksDBProvider {
  private var id: StateStoreProviderId = null

  override def init(
      stateStoreId: StateStoreId,
      keySchema: StructType,
      valueSchema: StructType,
      keyStateEncoderSpec: KeyStateEncoderSpec,
      useColumnFamilies: Boolean,
      storeConf: StateStoreConf,
      hadoopConf: Configuration,
      useMultipleValuesPerKey: Boolean,
      stateSchemaProvider: Option[StateSchemaProvider]
  ): Unit = {
    id = StateStoreProviderId(stateStoreId, UUID.fromString(hadoopConf.get(StreamExecution.RUN_ID_KEY)))
    super.init(
      stateStoreId,
      keySchema,
      valueSchema,
      keyStateEncoderSpec,
      useColumnFamilies,
      storeConf,
      hadoopConf,
      useMultipleValuesPerKey,
      stateSchemaProvider
    )
  }

  /** Spark hands over the store that a task has opened last for reading, whichever operator that was of. */
  override def upgradeReadStoreToWriteStore(
      readStore: ReadStateStore,
      version: Long,
      uniqueId: Option[String],
      forceSnapshotOnCommit: Boolean
  ): StateStore =
    if (readStore.id == stateStoreId && readStore.version == version)
      super.upgradeReadStoreToWriteStore(readStore, version, uniqueId, forceSnapshotOnCommit)
    else getStore(version, uniqueId, forceSnapshotOnCommit)

  override def close(): Unit = {
    if (id != null) WheelCache.drop(id)
    super.close()
  }
}
