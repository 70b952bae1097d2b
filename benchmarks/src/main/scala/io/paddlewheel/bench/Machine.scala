package io.paddlewheel.bench

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Paths}

import scala.jdk.CollectionConverters._
import scala.sys.process.{Process, ProcessLogger}
import scala.util.Try

/** What the benchmarks ran on. */
object Machine {

  /** Numbers and texts by name. The load is that of all processes, the benchmarks' own included: 1 or 2 by itself. */
  def describe: Seq[(String, Either[Long, String])] = Seq(
    "cpu" -> Right(found("/proc/cpuinfo", "model name").getOrElse(System.getProperty("os.arch"))),
    "cores" -> Left(Runtime.getRuntime.availableProcessors.toLong),
    "memory_gib" -> Left(memory),
    "load" -> Right(f"${ManagementFactory.getOperatingSystemMXBean.getSystemLoadAverage}%.1f"),
    "os" -> Right(s"${System.getProperty("os.name")} ${System.getProperty("os.version")}"),
    "java" -> Right(Runtime.version.toString)
  ) ++ rust.map("rust" -> Right(_))

  private def memory: Long =
    found("/proc/meminfo", "MemTotal").fold(0L)(text =>
      math.round(text.takeWhile(_.isDigit).toDouble / (1 << 20))
    )

  private def rust: Option[String] =
    Try(Process(Seq("rustc", "--version")).!!(ProcessLogger(_ => ()))).toOption.map(_.trim.split(' ')(1))

  /** The value of the first line `name : value` of a file of /proc. */
  private def found(file: String, name: String): Option[String] =
    Try(Files.readAllLines(Paths.get(file)).asScala).toOption.flatMap {
      _.find(_.startsWith(name)).map(line => line.substring(line.indexOf(':') + 1).trim)
    }
}
