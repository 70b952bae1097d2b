package io.paddlewheel.spark

import org.apache.spark.sql.{DataFrame, SparkSession}

/** One small session for all suites: it is started by the first that asks, and ends with their JVM. */
trait SparkSessions {

  protected lazy val spark: SparkSession = SparkSessions.session

  /** Rides as a batch. */
  protected lazy val rides: DataFrame = spark.sql(
    """SELECT * FROM VALUES
      |  ('A', 'ann', TIMESTAMP '2026-03-01 10:00:00', TIMESTAMP_NTZ '2026-03-01 10:00:00', 5L, 1.5D,
      |   MAP('a', 1), NAMED_STRUCT('city', 'Uppsala'), PARSE_JSON('1'), 'a' COLLATE UTF8_LCASE)
      |AS rides(station, rider, started_at, local_start, duration, fare, tags, place, raw, nick)""".stripMargin
  )

  /** Rides as a stream, without a watermark. */
  protected lazy val stream: DataFrame = spark.readStream
    .format("rate")
    .load()
    .selectExpr(
      "timestamp AS started_at",
      "timestamp AS arrived_at",
      "CAST(timestamp AS TIMESTAMP_NTZ) AS local_start",
      "value AS duration",
      "CAST(value % 7 AS STRING) AS station"
    )
}

private object SparkSessions {
  private lazy val session: SparkSession = SparkSession
    .builder()
    .master("local[1]")
    .appName("paddlewheel-tests")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "1")
    .config("spark.sql.session.timeZone", "UTC")
    .getOrCreate()
}
