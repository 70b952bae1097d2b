package io.paddlewheel.spark.state

import java.util

/** Which keys have something to do, and at which watermark: nobody looks at the others. */
private[state] final class Timetable {
  private val listed = new util.TreeMap[java.lang.Long, util.ArrayList[KeyWheel]]

  /** Lists a key under its [[KeyWheel.due]] time. It may stand under earlier ones too, which no longer count. */
  def add(k: KeyWheel): Unit = {
    listed.computeIfAbsent(k.due, _ => new util.ArrayList[KeyWheel]).add(k)
    ()
  }

  /** Takes out those that are due at a watermark. */
  def takeDue(watermark: Long)(visit: KeyWheel => Unit): Unit = {
    val due = listed.headMap(watermark, true)
    due.forEach((instant, keys) => keys.forEach(k => if (k.due == instant) visit(k)))
    due.clear()
  }
}
