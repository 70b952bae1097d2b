package io.paddlewheel.bench

import java.lang.management.ManagementFactory

/** Repeats work until the compiler has had nothing to do for a second. */
object WarmUp {
  private val compiler = ManagementFactory.getCompilationMXBean
  private val Quiet = 1000000000L
  private val AtMost = 15 * Quiet

  def apply(work: => Any): Unit = {
    val begun = System.nanoTime()
    var compiled = compiler.getTotalCompilationTime
    var since = begun
    while (System.nanoTime() - since < Quiet && System.nanoTime() - begun < AtMost) {
      work
      val now = compiler.getTotalCompilationTime
      if (now != compiled) {
        compiled = now
        since = System.nanoTime()
      }
    }
  }
}
