package io.paddlewheel.spark

import org.scalatest.funsuite.AnyFunSuite

class PaddlewheelVersionSuite extends AnyFunSuite {

  test("the version is a release or a development version") {
    assert(PaddlewheelVersion.current.matches("""\d+\.\d+\.\d+(\.dev\d+)?"""))
  }

  test("the Spark on the class path is the one this jar was built for") {
    assert(PaddlewheelVersion.builtForSpark == org.apache.spark.SPARK_VERSION)
  }
}
