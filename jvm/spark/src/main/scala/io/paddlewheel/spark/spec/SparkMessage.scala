package io.paddlewheel.spark.spec

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.AnalysisException

/** The main sentence of an error of Spark: without its condition, SQLSTATE, plan and place in the text. */
private[spec] object SparkMessage {

  def of(error: Throwable with SparkThrowable): String = {
    val whole = error match {
      case analysis: AnalysisException => analysis.message
      case other => other.getMessage
    }
    whole
      .stripPrefix(s"[${error.getCondition}]")
      .replaceAll("""\s*SQLSTATE: \w{5}\s*$""", "")
      .replaceAll("""\s+""", " ")
      .trim
  }
}
