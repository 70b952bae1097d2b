package io.paddlewheel.window

import io.paddlewheel.time.Granularity

/** A row, at the start of its base slot. */
final case class Row(time: Long, value: Option[Long])

/** What a window is found to be, or should be. */
final case class Emitted(window: Int, start: Long, end: Long, value: Seq[Any])

/** The windows as their definition says, each computed from all rows. */
final class NaiveWindows(measures: Measures, windows: IndexedSeq[Window], emission: Emission) {

  /** What is given out when the watermark moves from `done` to `until`, by window, then by time. */
  def advance(rows: Seq[Row], done: Long, until: Long): Seq[Emitted] = windows.indices.flatMap { w =>
    val complete = instances(windows(w), rows).filter { case (_, end) => end > done && end <= until }
    val found =
      complete.sortBy(_._2).map { case (start, end) => Emitted(w, start, end, value(rows, start, end).get) }
    emission match {
      case Emission.Every => found
      case Emission.Latest => found.lastOption.toSeq
      case Emission.Changed => found.filter(changed(rows, windows(w), _))
    }
  }

  private def value(rows: Seq[Row], start: Long, end: Long): Option[Seq[Any]] = {
    val within = rows.filter(row => row.time >= start && row.time < end)
    Option.when(within.nonEmpty)(measures.naive(within.map(_.value)))
  }

  private def changed(rows: Seq[Row], window: Window, now: Emitted): Boolean = {
    val before = window match {
      case Window.Sliding(_, slide) => value(rows, now.start - slide, now.end - slide)
      case Window.Tumbling(grid) => value(rows, grid.start(grid.slotOf(now.start) - 1), now.start)
      case Window.Cumulative(_, step) => value(rows, now.start, now.end - lastStep(now.end - now.start, step))
      case Window.Session(_) => None
    }
    !before.contains(now.value)
  }

  private def lastStep(length: Long, step: Long): Long = if (length % step == 0) step else length % step

  /** Start and end of every instance that has a row. */
  private def instances(window: Window, rows: Seq[Row]): Seq[(Long, Long)] = {
    val times = rows.map(_.time).distinct.sorted
    window match {
      case Window.Sliding(range, slide) =>
        val last = times.map(Math.floorDiv(_, slide) * slide)
        last.flatMap(l => Iterator.iterate(l)(_ - slide).takeWhile(_ + range > l).toSeq).distinct.collect {
          case start if times.exists(t => t >= start && t < start + range) => (start, start + range)
        }
      case Window.Tumbling(grid) => times.map(slot(grid, _)).distinct
      case Window.Cumulative(grid, step) =>
        times.map(slot(grid, _)).distinct.flatMap { case (start, end) =>
          val ends = Iterator.iterate(start + step)(_ + step).takeWhile(_ < end).toSeq :+ end
          ends.filter(e => times.exists(t => t >= start && t < e)).map((start, _))
        }
      case Window.Session(gap) =>
        val firsts = times.filter(t => !times.exists(other => other < t && other > t - gap))
        firsts.zip(firsts.drop(1) :+ Long.MaxValue).map { case (first, next) =>
          (first, times.filter(_ < next).max + gap)
        }
    }
  }

  private def slot(grid: Granularity, time: Long): (Long, Long) =
    (grid.floor(time), grid.end(grid.slotOf(time)))
}
