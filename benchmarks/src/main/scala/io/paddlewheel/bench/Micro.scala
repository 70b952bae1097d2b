package io.paddlewheel.bench

import scala.jdk.CollectionConverters._

import org.openjdk.jmh.results.RunResult
import org.openjdk.jmh.runner.Runner
import org.openjdk.jmh.runner.options.{OptionsBuilder, TimeValue}

/** The JMH benchmarks in [[io.paddlewheel.bench.jmh]], kept short: for telling a change, not for fine comparison. */
object Micro extends Part {
  def name: String = "jmh"
  def title: String = "Parts of the engine by themselves, with JMH"

  def measure(peer: Peer): Seq[Figure] = {
    val options = new OptionsBuilder()
      .include("io\\.paddlewheel\\.bench\\.jmh\\.")
      .forks(1)
      .warmupIterations(4)
      .warmupTime(TimeValue.milliseconds(300))
      .measurementIterations(5)
      .measurementTime(TimeValue.milliseconds(300))
      .build()
    new Runner(options).run().asScala.toSeq.map(figure)
  }

  private def figure(result: RunResult): Figure = {
    val benchmark = result.getParams.getBenchmark.split('.').takeRight(2).mkString(".")
    val parameters =
      result.getParams.getParamsKeys.asScala.map(key => s" ${result.getParams.getParam(key)}").mkString
    Figure(
      benchmark + parameters,
      result.getPrimaryResult.getScore,
      None,
      "ns",
      note = Some(f"± ${result.getPrimaryResult.getScoreError}%.1f ns")
    )
  }
}
