package io.paddlewheel.window

/** The working state of one window and one key. All of it can be derived from the wheel. */
private[window] trait Turning {

  /** Offers the instances that end after `emitted` and not after `until`. The wheel's watermark is `until`. */
  def advance(emitted: Long, until: Long): Unit

  /** The earliest end, after `emitted`, of an instance that has data, or whose predecessor has and is needed to tell whether
    * it changed; `Long.MaxValue` if there is none.
    */
  def nextEnd(emitted: Long): Long

  /** Drops everything derived: the wheel has changed below the watermark. */
  def forget(): Unit

  /** The earliest instant that instances which end after `emitted` need from the base level, beyond its retention. */
  def needsFrom(emitted: Long): Long
}
