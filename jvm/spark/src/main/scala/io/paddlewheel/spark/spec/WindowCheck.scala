package io.paddlewheel.spark.spec

import java.time.ZoneId

import io.paddlewheel.column.{Column, Kind, Merge, Schema}
import io.paddlewheel.spark.spec.Checked._
import io.paddlewheel.time.{Granularity, Levels, Span}
import io.paddlewheel.window.{Emission, Window, WindowSet}

/** Reads the windows of a spec, and asks the engine whether its levels can give them.
  *
  * @param levels
  *   none if they are at fault themselves; windows are then only read
  */
private[spec] final class WindowCheck(zone: ZoneId, levels: Option[Levels], emission: Emission) {

  def apply(name: String, window: SpecWindow): Checked[Window] =
    read(s"windows.$name", name, window).flatMap(fitting(s"windows.$name", name, _))

  private def read(field: String, name: String, window: SpecWindow): Checked[Window] = window match {
    case SpecWindow.Tumbling(size) => grid(field, size).map(Window.Tumbling(_))
    case SpecWindow.Session(gap) => Lengths.fixed(field, gap, zone).map(Window.Session(_))
    case SpecWindow.Sliding(range, slide) =>
      both(Lengths.fixed(field, range, zone), Lengths.fixed(field, slide, zone)).flatMap {
        case (length, step) if step > length =>
          fault(
            field,
            "WINDOW_SLIDE",
            s"Window '$name' slides by '$slide', which is longer than its range, '$range': rows between two " +
              s"windows would be lost. Let it slide by '$range' or less."
          )
        case (length, step) => Right(Window.Sliding(length, step))
      }
    case SpecWindow.Cumulative(size, step) =>
      both(grid(field, size), Lengths.fixed(field, step, zone)).flatMap {
        case (_, length) if length > Span.parse(size).nominal =>
          fault(
            field,
            "WINDOW_STEP",
            s"Window '$name' grows by '$step', which is longer than its size, '$size'. " +
              s"Let it grow by less, or use a tumbling window of '$size'."
          )
        case (whole, length) => Right(Window.Cumulative(whole, length))
      }
  }

  private def grid(field: String, size: String): Checked[Granularity] =
    engine(field)(Granularity.parse(size, zone)).left.map(_.map {
      case Fault(_, condition @ "GRANULARITY_COMPOUND", _) =>
        val message =
          s"The size '$size' has several units. Write it in the smallest of them, such as '90 minutes'."
        Fault(field, condition, message)
      case other => other
    })

  private def fitting(field: String, name: String, window: Window): Checked[Window] =
    engine(field) {
      levels.foreach(new WindowSet(_, WindowCheck.anySchema, Vector(name -> window), emission))
      window
    }
}

private object WindowCheck {

  /** Whether levels can give a window does not depend on what their slots hold. */
  private val anySchema = new Schema(Vector(Column.Primitive("rows", Kind.Long, Merge.Sum)))
}
