package io.paddlewheel.bench.jmh

import java.util.concurrent.TimeUnit

import org.openjdk.jmh.annotations._

import io.paddlewheel.TimeRange
import io.paddlewheel.bench.{SumWheel, Workload}
import io.paddlewheel.column.Cells
import io.paddlewheel.plan.{Horizon, Planner}
import io.paddlewheel.time.Micros
import io.paddlewheel.wheel.Wheel

/** The calls the engine lives by, on a wheel of a day. */
@State(Scope.Thread)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
class EngineBench {
  private var wheel: Wheel = _
  private var planner: Planner = _
  private var horizon: Horizon = _
  private var questions: Workload.Questions = _
  private val cells = Cells(SumWheel.schema, 1)
  private var open: Wheel = _
  private var at = 0

  @Setup
  def fill(): Unit = {
    wheel = SumWheel.filled(1)
    planner = new Planner(wheel.levels, wheel.schema)
    horizon = Horizon.of(wheel)
    questions = Workload.ranges(1, 1)
    open = SumWheel.filled(1)
  }

  private def next(): TimeRange = {
    at = if (at + 1 == questions.count) 0 else at + 1
    TimeRange(questions.starts(at), questions.ends(at))
  }

  @Benchmark
  def plan(): AnyRef = planner.plan(next(), horizon)

  @Benchmark
  def planAndRun(): Long = {
    planner.plan(next(), horizon).run(wheel, cells, 0)
    cells.longs(0)(0)
  }

  @Benchmark
  def landmark(): Long = {
    wheel.landmark(cells, 0)
    cells.longs(0)(0)
  }

  /** Into the live slots of the minute after the day. */
  @Benchmark
  def insert(): AnyRef = {
    at = if (at >= 59) 0 else at + 1
    cells.longs(0)(0) = at.toLong
    open.insert(Workload.Begin + Micros.Day + at * Micros.Second, cells, 0)
  }
}
