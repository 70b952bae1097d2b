package io.paddlewheel.time

/** Lengths of time in microseconds. */
object Micros {
  final val Milli = 1000L
  final val Second = 1000 * Milli
  final val Minute = 60 * Second
  final val Hour = 60 * Minute
  final val Day = 24 * Hour

  /** The mean month: 400 Gregorian years are 4,800 months and 146,097 days. */
  final val Month = 146097 * Day / 4800
}
