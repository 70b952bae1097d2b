package io.paddlewheel.spark

import org.apache.spark.SparkThrowable

/** What a query asked for that wheels cannot give, as Spark reports errors: with a condition and an SQLSTATE. The message
  * ends with the remedy.
  */
class WheelException(condition: String, sqlState: String, message: String)
    extends IllegalArgumentException(s"[$condition] $message SQLSTATE: $sqlState")
    with SparkThrowable {

  override def getCondition: String = condition

  override def getSqlState: String = sqlState
}
