package io.paddlewheel.bench

import io.paddlewheel.column.{Cells, Schema}
import io.paddlewheel.time.Micros

/** The generator that both languages can repeat bit for bit. */
final class SplitMix64(private var state: Long) {

  def next(): Long = {
    state += 0x9e3779b97f4a7c15L
    var z = state
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL
    z ^ (z >>> 31)
  }

  def below(n: Long): Long = (next() >>> 1) % n
}

/** The streams and questions of the peer (`peers/uwheel/src/workload.rs`), value for value. */
object Workload {

  /** 2023-10-01 00:00:00 UTC. */
  val Begin: Long = 1696118400L * Micros.Second
  val DaySeconds = 86400
  val Block = 32

  def named(days: Int): String = if (days == 1) "1 day" else s"$days days"

  /** One value per event, in event order. */
  def values(count: Int): Array[Long] = {
    val random = new SplitMix64(1)
    Array.fill(count)(random.below(1000))
  }

  /** Random ranges in whole units of so many seconds: starts and ends in microseconds. */
  def ranges(days: Int, unitSeconds: Int, count: Int = 50000, seed: Long = 42): Questions = {
    val units = days.toLong * DaySeconds / unitSeconds
    val random = new SplitMix64(seed)
    val starts, ends = new Array[Long](count)
    starts.indices.foreach { q =>
      val a = random.below(units)
      val drawn = random.below(units)
      val b = if (a == drawn) a + 1 else drawn
      starts(q) = Begin + math.min(a, b) * unitSeconds * Micros.Second
      ends(q) = Begin + math.max(a, b) * unitSeconds * Micros.Second
    }
    Questions(starts, ends)
  }

  /** The stream of one event per second in the order of arrival. Whole blocks only are put out of order. */
  def arrivals(days: Int, disorderPercent: Int): Arrivals = {
    val inOrder = values(days * DaySeconds)
    val order = Array.range(0, inOrder.length)
    val random = new SplitMix64(7)
    order.indices.grouped(Block).filter(_.size == Block).map(_.head).foreach { first =>
      (first until first + Block).foreach { j =>
        if (random.below(100) < disorderPercent) {
          val other = first + random.below(Block.toLong).toInt
          val moved = order(j)
          order(j) = order(other)
          order(other) = moved
        }
      }
    }
    Arrivals(
      order.map(second => Begin + second * Micros.Second),
      cells(SumWheel.schema, order.map(inOrder(_)))
    )
  }

  final case class Questions(starts: Array[Long], ends: Array[Long]) {
    def count: Int = starts.length
  }

  /** Values in the first column of a schema. */
  def cells(schema: Schema, values: Array[Long]): Cells = {
    val cells = Cells(schema, values.length)
    System.arraycopy(values, 0, cells.longs(0), 0, values.length)
    cells
  }

  final case class Arrivals(instants: Array[Long], values: Cells) {
    def count: Int = instants.length
  }
}
