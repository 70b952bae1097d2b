package io.paddlewheel.bench

import java.lang.management.ManagementFactory
import java.nio.file.Paths

import scala.jdk.CollectionConverters._
import scala.sys.process.Process

/** Runs the named parts, all without names. Each runs in a fresh JVM: what one has the compiler learn, a kernel called
  * for three kinds of column say, is not held against the next.
  */
object Bench {

  val parts: Seq[Part] = Seq(Ranges, Whole, Ingest, Gaps, Memory, WindowRates, CostFit, SharingGains, Micro)

  def main(names: Array[String]): Unit = {
    val unknown = names.filterNot(name => parts.exists(_.name == name))
    if (unknown.nonEmpty) {
      System.err.println(
        s"There is no part ${unknown.mkString(", ")}. Use some of: ${parts.map(_.name).mkString(" ")}"
      )
      sys.exit(2)
    }
    val failed = parts.map(_.name).filter(name => names.isEmpty || names.contains(name)).filter(fork(_) != 0)
    if (failed.nonEmpty) {
      System.err.println(s"Failed: ${failed.mkString(" ")}")
      sys.exit(1)
    }
  }

  private def fork(part: String): Int = {
    val java = Paths.get(System.getProperty("java.home"), "bin", "java").toString
    val options = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala ++ RunPart.options
    val command = java +: (options ++ Seq("-cp", System.getProperty("java.class.path"), RunPart.main, part))
    Process(command.toSeq).!
  }
}

/** Runs one part in this JVM, prints its figures and leaves them in `benchmarks/results`. */
object RunPart {
  private[bench] val main = "io.paddlewheel.bench.RunPart"

  /** A question that is inlined between two readings of the clock may be moved out from between them. */
  private[bench] val options = Seq(
    "-XX:CompileCommand=quiet",
    "-XX:CompileCommand=dontinline,io.paddlewheel.bench.*::ask",
    "-Djdk.attach.allowAttachSelf=true",
    "-Djol.magicFieldOffset=true"
  )

  def main(names: Array[String]): Unit =
    try
      Bench.parts.filter(part => names.contains(part.name)).foreach { part =>
        println(s"${part.title} (${part.name})")
        val report = Report(part, part.measure(Peer.default))
        println(report.table)
        println(report.write(Paths.get("benchmarks", "results")))
      }
    catch {
      case failure: PartFailed =>
        System.err.println(failure.getMessage)
        sys.exit(1)
    }
}
