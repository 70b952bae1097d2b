package io.paddlewheel.bench

import io.paddlewheel.column.{Cells, Column, Kind, Merge, Schema}
import io.paddlewheel.time.{Instants, Micros}
import io.paddlewheel.wheel.Wheel
import io.paddlewheel.window.{Sink, Window, WindowSet}

/** Events per second through one sliding window. */
object WindowRates extends Part {
  def name: String = "windows"
  def title: String = "Sliding windows"

  private val Rounds = 3
  private val Runs = 3

  /** @param every the watermark is moved, to the last event, after so many events */
  private final case class Stream(events: Int, perSecond: Int, every: Int)

  private val dense = Stream(10000000, 1000, 100)
  private val sparse = Stream(1000000, 1, 10)

  /** Ranges of three slides, then of many; in seconds. */
  private val settings = Seq(15 -> 5, 30 -> 10, 60 -> 20, 900 -> 300, 1800 -> 600) ++
    Seq(180 -> 1, 900 -> 3, 1800 -> 6, 2700 -> 9, 3600 -> 12)

  def measure(peer: Peer): Seq[Figure] = {
    val aim = Some(Target.AtLeast(1.0))
    val many = new Sliding(dense)
    val few = new Sliding(sparse)
    val runs =
      Seq((many, dense, Merge.Sum, aim), (many, dense, Merge.Max, None), (few, sparse, Merge.Sum, None))
    for {
      (sliding, stream, merge, target) <- runs
      (range, slide) <- settings
      figure <- compare(peer, sliding, stream, range, slide, merge, target)
    } yield figure
  }

  private def compare(
      peer: Peer,
      sliding: Sliding,
      stream: Stream,
      range: Int,
      slide: Int,
      merge: Merge,
      target: Option[Target]
  ): Seq[Figure] = {
    val ours = sliding.through(range, slide, merge)
    Intake.all.foreach(intake => WarmUp(ours.run(intake)))
    val rounds = (0 until Rounds).map { _ =>
      val answer = peer(
        "windows",
        "range" -> range,
        "slide" -> slide,
        "events" -> stream.events,
        "rate" -> stream.perSecond,
        "watermark-every" -> stream.every,
        "aggregator" -> merge.name
      )
      val rates = Intake.all.map { intake =>
        val runs = (0 until Runs).map { _ =>
          val rate = ours.run(intake)
          same(s"$range/$slide, windows", ours.windows, answer.number("windows").toLong)
          same(s"$range/$slide, sum of windows", ours.checksum.toString, answer.text("checksum"))
          rate
        }
        intake -> Latency.median(runs)
      }.toMap
      (rates, answer.number("median_events_per_second"))
    }
    Intake.all.map { intake =>
      Figure(
        s"${merge.name}, range $range s, slide $slide s, ${stream.perSecond}/s, ${intake.name}",
        Latency.median(rounds.map(_._1(intake))) / 1e6,
        Some(Latency.median(rounds.map(_._2)) / 1e6),
        "M events/s",
        target.filter(_ => intake == Intake.Together)
      )
    }
  }

  /** A stream held in memory, as the peer holds it. */
  private final class Sliding(stream: Stream) {
    private val values = Workload.values(stream.events)
    private val instants =
      Array.tabulate(stream.events)(e => Workload.Begin + e * 1000L / stream.perSecond * Micros.Milli)

    def through(range: Int, slide: Int, merge: Merge): Run = new Run(
      range * Micros.Second,
      slide * Micros.Second,
      Schema(Column.Primitive("value", Kind.Long, merge))
    )

    final class Run(range: Long, slide: Long, schema: Schema) {
      private val set =
        new WindowSet(SumWheel.levels, schema, IndexedSeq("window" -> Window.Sliding(range, slide)))
      private val events = Workload.cells(schema, values)

      private var count = 0L
      private var sum = 0L

      /** Of the last run. */
      def windows: Long = count
      def checksum: Long = sum

      // The peer has no windows that begin before the stream.
      private val sink = new Sink {
        def emit(window: Int, start: Long, end: Long, value: Cells): Unit =
          if (start >= Workload.Begin) {
            count += 1
            sum += value.longs(0)(0)
          }
      }

      /** Events per second. */
      def run(intake: Intake): Double = {
        count = 0
        sum = 0
        val wheel = new Wheel(SumWheel.levels, schema)
        val windows = set.of(wheel, Instants.Min)
        val before = System.nanoTime()
        var event = 0
        while (event < stream.events) {
          intake(wheel, instants, events, event, event + stream.every)
          event += stream.every
          wheel.advance(instants(event - 1))
          windows.advance(sink)
        }
        stream.events * 1e9 / (System.nanoTime() - before)
      }
    }
  }
}
