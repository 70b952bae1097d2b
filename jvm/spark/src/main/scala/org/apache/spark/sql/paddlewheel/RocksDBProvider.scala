package org.apache.spark.sql.paddlewheel

import org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider

/** Spark's RocksDB provider, opened to classes outside of Spark. */
abstract class RocksDBProvider extends RocksDBStateStoreProvider
