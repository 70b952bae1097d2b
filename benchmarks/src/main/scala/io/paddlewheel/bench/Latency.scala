package io.paddlewheel.bench

/** Many questions, each timed by itself. */
trait Questioner {
  def count: Int

  /** The answer to question `q`. MUST NOT be inlined into the timing: see [[RunPart.options]]. */
  def ask(q: Int): Long
}

/** Nanoseconds, nearest-rank percentiles; `sum` is that of the answers. */
final case class Latency(p50: Double, p95: Double, p99: Double, sum: Long)

object Latency {
  val Rounds = 5

  /** Two passes that do not count, as the peer makes, and one that does. */
  def of(questioner: Questioner): Latency = {
    (0 until 2).foreach(_ => time(questioner))
    val (nanos, sum) = time(questioner)
    java.util.Arrays.sort(nanos)
    Latency(percentile(nanos, 50), percentile(nanos, 95), percentile(nanos, 99), sum)
  }

  /** What a pair of readings of the clock costs by itself: every time of a single question holds it. It is as long as
    * the question, and longer here than on the peer's side; so it is taken out on both.
    */
  lazy val clock: Double = {
    val empty = new Questioner {
      def count: Int = 100000
      def ask(q: Int): Long = q.toLong
    }
    WarmUp(of(empty))
    of(empty).p50
  }

  def clocks(answer: Peer.Answer): Figure = Figure(
    "the clock alone, taken out of every figure below",
    clock,
    Some(answer.number("timer_ns")),
    "ns",
    note = Some("Ours start from two instants; the peer's ranges are made beforehand.")
  )

  def percentile(sorted: Array[Long], p: Int): Double =
    sorted(math.max(1, math.ceil(p / 100.0 * sorted.length).toInt) - 1).toDouble

  def median(values: Seq[Double]): Double = {
    val sorted = values.sorted
    (sorted((sorted.size - 1) / 2) + sorted(sorted.size / 2)) / 2
  }

  private def time(questioner: Questioner): (Array[Long], Long) = {
    val nanos = new Array[Long](questioner.count)
    var sum = 0L
    var q = 0
    while (q < nanos.length) {
      val before = System.nanoTime()
      val answer = questioner.ask(q)
      nanos(q) = System.nanoTime() - before
      sum += answer
      q += 1
    }
    (nanos, sum)
  }
}
