package io.paddlewheel.spark

import java.util.Properties

/** What this jar is: its own version, and the Spark it was built for.
  *
  * Both come from the build, by way of `version.properties`; the Python package carries the same version.
  */
object PaddlewheelVersion {

  private val built: Properties = {
    val properties = new Properties
    val stream = getClass.getResourceAsStream("version.properties")
    try properties.load(stream)
    finally stream.close()
    properties
  }

  val current: String = built.getProperty("paddlewheel")

  val builtForSpark: String = built.getProperty("spark")
}
