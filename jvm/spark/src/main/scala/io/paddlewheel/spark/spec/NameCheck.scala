package io.paddlewheel.spark.spec

import io.paddlewheel.spark.spec.Checked._

/** The names a spec gives: none is empty, and no two columns of the output have the same.
  *
  * @param same
  *   whether Spark would take two names for one
  */
private[spec] final class NameCheck(same: (String, String) => Boolean) {

  def apply(spec: WheelSpec): Checked[Unit] = {
    val found = outputFaults(spec) ++ windowFaults(spec.windows.map(_._1))
    if (found.isEmpty) Right(()) else Left(found)
  }

  private def outputFaults(spec: WheelSpec): Seq[Fault] = {
    // Which of several windows a row is of is told by a column of its own.
    val ours = Seq("window") ++ Option.when(spec.windows.size > 1)("window_name")
    val keys = spec.keys.zipWithIndex.map { case (name, i) => (s"keys[$i]", name) }
    val aggregates = spec.aggregates.map { case (name, _) => (s"aggregates.$name", name) }
    val named = keys ++ aggregates

    named.zipWithIndex.flatMap { case ((field, name), i) =>
      lazy val reserved = ours.find(same(_, name))
      lazy val earlier = named.take(i).find { case (_, other) => same(other, name) }
      if (name.trim.isEmpty) Some(empty(field))
      else if (reserved.nonEmpty)
        Some(
          Fault(
            field,
            "NAME_RESERVED",
            s"'$name' is also the name of a column that every output has. Rename it, such as to '${name}_of_row'."
          )
        )
      else
        earlier.map { case (other, _) =>
          Fault(
            field,
            "NAME_REPEATED",
            s"'$name' is the name of two columns of the output, $other and $field. Rename one of them."
          )
        }
    }
  }

  private def windowFaults(names: Seq[String]): Seq[Fault] =
    names.distinct.filter(_.trim.isEmpty).map(name => empty(s"windows.$name")) ++
      names.diff(names.distinct).distinct.map { name =>
        Fault(
          s"windows.$name",
          "NAME_REPEATED",
          s"Two windows have the name '$name'. Rename one of them."
        )
      }

  private def empty(field: String): Fault =
    Fault(
      field,
      "NAME_EMPTY",
      s"A name in ${field.takeWhile(c => c != '.' && c != '[')} is empty. Give it one."
    )
}
