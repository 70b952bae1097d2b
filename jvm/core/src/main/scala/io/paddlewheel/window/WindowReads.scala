package io.paddlewheel.window

import io.paddlewheel.Refusal
import io.paddlewheel.sharing.Hop
import io.paddlewheel.time.{Fixed, Granularity, Levels}

/** Finds for each window the coarsest level that has all its edges and keeps what it reaches back to; or refuses it. */
private[window] final class WindowReads(levels: Levels, emission: Emission) {

  // To tell a change from the window before, after a restart, that must still be there.
  private val windows = if (emission == Emission.Changed) 2 else 1

  def slide(name: String, range: Long, slide: Long): Slide = {
    if (slide < 1 || slide > range)
      throw new Refusal(
        "WINDOW_SLIDE",
        s"Window '$name' has a range of $range and a slide of $slide microseconds. " +
          "The slide must be longer than nothing and no longer than the range."
      )
    val grain = Hop(range, slide).grain
    val fitting = (0 until levels.count).flatMap { level =>
      levels.granularity(level) match {
        case Fixed(size, origin) if grain % size == 0 && origin % size == 0 => Some((level, size))
        case _ => None
      }
    }
    val back = range + (windows - 1) * slide
    val level = choose(name, fitting.map(_._1), Retained.back(levels, _, back))
    Slide(range, slide, fitting.toMap.apply(level), new LevelRead(levels, level))
  }

  def session(name: String, gap: Long): LevelRead = {
    val base = levels.base match {
      case Fixed(size, _) if gap > 0 && gap % size == 0 => Seq(0)
      case _ => Seq.empty
    }
    new LevelRead(levels, choose(name, base, Retained.back(levels, _, gap)))
  }

  def tumbling(name: String, grid: Granularity): LevelRead =
    onGrid(name, grid, Retained.slots(levels, _, grid, windows))(_ => true)

  /** The step before is one of the same slot of the grid. */
  def cumulative(name: String, grid: Granularity, step: Long): LevelRead =
    onGrid(name, grid, Retained.slots(levels, _, grid, 1)) {
      case Fixed(size, _) => step > 0 && step % size == 0
      case _ => false
    }

  private def onGrid(name: String, grid: Granularity, kept: Int => Boolean)(
      steps: Granularity => Boolean
  ): LevelRead = {
    val fitting = (0 until levels.count).filter { level =>
      val fine = levels.granularity(level)
      steps(fine) && Granularity.nests(fine, grid)
    }
    new LevelRead(levels, choose(name, fitting, kept))
  }

  private def choose(name: String, fitting: Seq[Int], kept: Int => Boolean): Int = {
    if (fitting.isEmpty)
      throw new Refusal(
        "WINDOW_NOT_A_MULTIPLE",
        s"Window '$name' is not made of whole slots of the base, ${levels.base.name}. Round it, or use a finer base level."
      )
    fitting.filter(kept).lastOption.getOrElse {
      val level = levels(fitting.last)
      throw new Refusal(
        "WINDOW_BEYOND_RETENTION",
        s"Window '$name' reaches back further than level ${level.granularity.name} is kept " +
          s"(${level.retention.fold("")(_.name)}). Lengthen that retention, or let the window slide by a coarser level."
      )
    }
  }
}

/** A window that slides, and the level it reads, with slots of `unit`. */
private[window] final case class Slide(range: Long, slide: Long, unit: Long, read: LevelRead) {
  def hop: Hop = Hop(range / unit, slide / unit)
}
