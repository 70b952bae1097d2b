package io.paddlewheel.bench

import java.nio.file.{Files, Path, Paths}

import scala.sys.process.Process

/** The same workloads on the Rust crate uwheel: a program of its own, started afresh for every measurement. */
final class Peer(program: Path) {

  /** Runs one of its commands with options as `"days" -> 7`. */
  def apply(command: String, options: (String, Any)*): Peer.Answer = {
    if (!Files.isExecutable(program))
      throw new PartFailed(s"The peer is not built: there is no $program. Run: make bench")
    val words = options.flatMap { case (name, value) => Seq(s"--$name", value.toString) }
    val answer = new Peer.Answer(Process(Seq(program.toString, command) ++ words).!!.trim)
    if (answer.number("wrong") != 0) throw new PartFailed(s"The peer's own answers are wrong: $answer")
    answer
  }
}

object Peer {
  val default = new Peer(Paths.get("benchmarks", "peers", "uwheel", "target", "release", "uwheel-peer"))

  /** One line of JSON, read for its numbers and texts only. */
  final class Answer(line: String) {
    private val fields = Field.findAllMatchIn(line).map(m => m.group(1) -> m.group(2)).toMap

    def number(name: String): Double = text(name).toDouble

    /** A time of a single question, less what reading the clock took. */
    def withoutClock(name: String): Double = number(name) - number("timer_ns")

    def text(name: String): String =
      fields.getOrElse(name, throw new PartFailed(s"The peer gives no $name in $line"))

    override def toString: String = line
  }

  private val Field = """"(\w+)":"?([^",{}\[\]]+)""".r
}
