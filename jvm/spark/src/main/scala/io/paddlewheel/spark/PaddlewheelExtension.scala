package io.paddlewheel.spark

import org.apache.spark.sql.{SparkSessionExtensions, SparkSessionExtensionsProvider}

import io.paddlewheel.spark.operator.{WheelStrategy, WheelSwap}

/** Teaches a session to plan wheels. Spark finds it by `ServiceLoader`: the jar on the class path is enough. */
class PaddlewheelExtension extends SparkSessionExtensionsProvider {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    extensions.injectPlannerStrategy(_ => WheelStrategy)
    extensions.injectColumnar(_ => WheelSwap.rule)
  }
}
