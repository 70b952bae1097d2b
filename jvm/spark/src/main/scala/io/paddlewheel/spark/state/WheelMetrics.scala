package io.paddlewheel.spark.state

/** What a partition did in one batch. */
final class WheelMetrics {
  var dropped = 0L
  var removed = 0L
  var emitted = 0L
  var slotsSealed = 0L
  var rotationsWritten = 0L
  var hits = 0L
  var misses = 0L

  def clear(): Unit = {
    dropped = 0
    removed = 0
    emitted = 0
    slotsSealed = 0
    rotationsWritten = 0
    hits = 0
    misses = 0
  }
}
