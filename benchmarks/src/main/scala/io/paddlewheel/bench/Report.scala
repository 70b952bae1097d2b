package io.paddlewheel.bench

import java.math.MathContext
import java.nio.file.{Files, Path}
import java.time.LocalDate

/** The figures of one part, and where and when they were measured: the file `benchmarks/page.py` reads. */
final case class Report(part: Part, figures: Seq[Figure]) {

  def write(folder: Path): Path = {
    Files.createDirectories(folder)
    Files.writeString(folder.resolve(s"${part.name}.json"), json + "\n")
  }

  def table: String =
    figures
      .map { figure =>
        val peer = figure.peer.fold("")(value => s"peer ${number(value)}")
        val ratio = figure.ratio.fold("")(value => f"$value%.3f")
        val target = figure.target.fold("")(_.toString)
        val verdict = figure.met.fold("")(met => if (met) "met" else "MISSED")
        f"  ${figure.name}%-58s ${number(figure.ours)}%12s ${figure.unit}%-9s $peer%-17s $ratio%8s $target%-7s $verdict"
      }
      .mkString("\n")

  private def json: String = record(
    ",\n  ",
    "name" -> text(part.name),
    "title" -> text(part.title),
    "command" -> text(s"make bench PART=${part.name}"),
    "machine" -> record(
      ", ",
      Machine.describe.map { case (name, value) =>
        name -> value.fold(_.toString, text)
      }: _*
    ),
    "when" -> text(LocalDate.now.toString),
    "figures" -> figures.map(json).mkString("[\n    ", ",\n    ", "\n  ]")
  )

  private def json(figure: Figure): String = {
    val note = figure.note.map(note => "note" -> text(note))
    val fields = Seq(
      "name" -> text(figure.name),
      "ours" -> number(figure.ours),
      "peer" -> orNull(figure.peer.map(number)),
      "unit" -> text(figure.unit),
      "ratio" -> orNull(figure.ratio.map(number)),
      "target" -> orNull(figure.target.map(aim => text(aim.toString))),
      "met" -> orNull(figure.met.map(_.toString))
    )
    record(", ", fields ++ note: _*)
  }

  private def record(between: String, fields: (String, String)*): String =
    fields.map { case (name, value) => s"${text(name)}: $value" }.mkString("{", between, "}")

  private def text(value: String): String =
    value
      .flatMap {
        case c @ ('"' | '\\') => s"\\$c"
        case c if c < ' ' => f"\\u${c.toInt}%04x"
        case c => c.toString
      }
      .mkString("\"", "", "\"")

  private def number(value: Double): String =
    new java.math.BigDecimal(value).round(new MathContext(5)).stripTrailingZeros.toPlainString

  private def orNull(value: Option[String]): String = value.getOrElse("null")
}
