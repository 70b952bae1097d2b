package io.paddlewheel.spark

/** What a query asked for that wheels cannot give. The message ends with the remedy. */
class WheelException(val condition: String, message: String)
    extends IllegalArgumentException(s"[$condition] $message")
