package io.paddlewheel.spark.state

import scala.util.Random

import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.internal.SQLConf
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.spark.{Paddlewheel, SparkSessions}
import io.paddlewheel.spark.operator.{Blueprint, WheelBatchExec}
import io.paddlewheel.spark.spec.{SpecWindow, WheelSpec}
import io.paddlewheel.time.Micros.{Day, Second}

/** A partition of wheels over Spark's own state: whatever is kept in memory, tried again or read back, the rows are the
  * same.
  */
class WheelPartitionSuite extends AnyFunSuite with SparkSessions {
  private val conf: SQLConf = spark.asInstanceOf[ClassicSession].sessionState.conf

  private val windows = Seq(
    "tumbling" -> SpecWindow.Tumbling("10 seconds"),
    "sliding" -> SpecWindow.Sliding("150 seconds", "7 seconds"),
    "long" -> SpecWindow.Sliding("1 hour", "5 minutes"),
    "session" -> SpecWindow.Session("4 seconds"),
    "growing" -> SpecWindow.Cumulative("1 minute", "20 seconds")
  )

  private def blueprint(windows: Seq[(String, SpecWindow)], lateness: String = "0 seconds"): Blueprint = {
    val events = spark
      .range(1)
      .selectExpr("IF(id > 5, NULL, 'a') AS key", "TIMESTAMP '2026-01-01 00:00:00' AS ts", "id AS v")
    val spec = WheelSpec(
      Seq("key"),
      "ts",
      Seq("1 second" -> Some("10 minutes"), "1 minute" -> Some("2 hours"), "1 hour" -> Some("3 days")),
      Seq("n" -> "count(*)", "total" -> "sum(v)", "most" -> "max(v)"),
      windows,
      lateness
    )
    Paddlewheel
      .aggregate(events, spec)
      .queryExecution
      .sparkPlan
      .collectFirst { case exec: WheelBatchExec => exec.blueprint }
      .get
  }

  /** Batches of events around a clock that mostly creeps and sometimes leaps; their watermarks are ten seconds behind. */
  private def batches(random: Random, count: Int): Seq[(Seq[Event], Long, Long)] = {
    var now = 1767225600L * Second + random.nextInt(1000000)
    var watermark = 0L
    Seq.fill(count) {
      now += Second * Seq(1, 7, 60, 600, 4000, 100000)(random.nextInt(6))
      val events = Seq.fill(random.nextInt(40)) {
        val late = if (random.nextInt(10) == 0) 200 * Second else 0L
        val key = Seq("a", "b", "c", null, "")(random.nextInt(5))
        Event(key, now - late - random.nextInt(15 * Second.toInt), random.nextInt(100) - 50L)
      }
      val late = watermark
      watermark = math.max(watermark, now - 10 * Second)
      (events, late, watermark)
    } :+ ((Nil, watermark, watermark + Day))
  }

  private def agree(seed: Long)(others: StoredPartition => Unit): Unit = {
    val random = new Random(seed)
    val print = blueprint(windows, if (seed % 3 == 0) "5 minutes" else "0 seconds")
    val one = new StoredPartition(print, conf)
    val other = new StoredPartition(print, conf, mostInMemory = if (seed % 2 == 0) 1 else 1000)
    batches(random, 12).zipWithIndex.foreach { case ((events, late, until), n) =>
      val expected = one.batch(events, late, until)
      others(other)
      val found = other.batch(random.shuffle(events), late, until)
      assert(found == expected, s"batch $n of seed $seed")
      assert(other.stateRows == one.stateRows, s"batch $n of seed $seed")
    }
    assert(one.state == other.state, s"seed $seed")
    assert(one.state.keys.count(_._1 >= 0) <= one.stateRows)
  }

  test("rows in another order give the same rows, and the same bytes") {
    (1L to 3L).foreach(seed => agree(seed)(_ => ()))
  }

  test("a partition that is read back before every batch gives the same") {
    (11L to 13L).foreach(seed => agree(seed)(_.forget()))
  }

  test("so does one whose provider was unloaded") {
    (21L to 21L).foreach(seed => agree(seed)(_.reopen()))
  }

  test("a batch that fails leaves no trace, and gives the same when it is tried again") {
    val random = new Random(31)
    val print = blueprint(windows)
    val one = new StoredPartition(print, conf)
    val other = new StoredPartition(print, conf)
    batches(random, 10).foreach { case (events, late, until) =>
      val expected = one.batch(events, late, until)
      assert(other.batch(events.take(events.size / 2), late, until, commit = false) != null)
      assert(other.batch(events, late, until) == expected)
    }
    assert(one.state == other.state)
  }

  test("a version that was committed can be loaded and committed again") {
    val print = blueprint(windows)
    val one = new StoredPartition(print, conf)
    val all = batches(new Random(41), 8)
    val found = all.map { case (events, late, until) => one.batch(events, late, until) }
    val end = one.state
    one.version = 4
    one.forget()
    val again = all.drop(4).map { case (events, late, until) => one.batch(events, late, until) }
    assert(again == found.drop(4))
    assert(one.state == end)
  }

  test(
    "every event is in one window of each tumbling grid, none in two, and late ones in none that has closed"
  ) {
    val print = blueprint(Seq("tumbling" -> SpecWindow.Tumbling("10 seconds")))
    val one = new StoredPartition(print, conf)
    val size = 10 * Second
    batches(new Random(51), 30).foldLeft(Seq.empty[Event]) { case (open, (events, late, until)) =>
      val taken = open ++ events.filter(e => Math.floorDiv(e.instant, size) * size + size > late)
      val (closed, rest) = taken.partition(e => Math.floorDiv(e.instant, size) * size + size <= until)
      val expected = closed
        .groupBy(e => (e.key, Math.floorDiv(e.instant, size) * size))
        .map { case ((key, start), in) =>
          Came(key, "", start, start + size, Seq(in.size.toLong, in.map(_.value).sum, in.map(_.value).max))
        }
        .toSeq
        .sortBy(came => (Option(came.key), came.window, came.start, came.end))
      assert(one.batch(events, late, until) == expected)
      rest
    }
  }

  test("retention lets rows go, and a steady stream's state stops growing") {
    val print = blueprint(Seq("tumbling" -> SpecWindow.Tumbling("10 seconds")))
    val one = new StoredPartition(print, conf)
    val sizes = (1 to 200).map { n =>
      val now = n * 3600L * Second
      one.batch(Seq(Event("a", now, 1), Event("b", now - 5 * Second, 2)), now - 3600L * Second, now)
      one.stateRows
    }
    // The top level's rotations have 64 hours, so after three days and one of those it has all it will ever have.
    assert(sizes.drop(136).max <= sizes.slice(72, 136).max, sizes.mkString(" "))
    assert(one.state.count(_._1._1 >= 0) == one.stateRows)
    val letGo = one.state.keys.count(_._1 == StateRows.LetGo)
    assert(letGo == 2, "a total for each key of what the top level has let go")
  }

  private def touched(range: Long, slide: Long, lateness: Long): Unit = {
    val window = SpecWindow.Sliding(s"${range / Second} seconds", s"${slide / Second} seconds")
    val print = blueprint(Seq("sliding" -> window), s"${lateness / Second} seconds")
    val one = new StoredPartition(print, conf, mostInMemory = 1, updates = true)
    val random = new Random(61)
    batches(random, 20).foldLeft(Seq.empty[Event]) { case (before, (events, late, until)) =>
      def starts(e: Event) = {
        val last = Math.floorDiv(e.instant, slide) * slide
        (last - range + slide to last by slide).filter(_ + range > late - lateness)
      }
      def lastEnd(e: Event) = Math.floorDiv(e.instant, slide) * slide + range
      def slotEnd(e: Event) = Math.floorDiv(e.instant, Second) * Second + Second
      val taken = events.filter(e => lastEnd(e) > late || slotEnd(e) > late - lateness)
      val all = before ++ taken
      val expected = taken
        .flatMap(e => starts(e).map(e.key -> _))
        .distinct
        .map { case (key, start) =>
          val in = all.filter(e => e.key == key && e.instant >= start && e.instant < start + range)
          Came(key, "", start, start + range, Seq(in.size.toLong, in.map(_.value).sum, in.map(_.value).max))
        }
        .sortBy(came => (Option(came.key), came.window, came.start, came.end))
      if (random.nextBoolean()) one.forget()
      assert(one.batch(events, late, until) == expected)
      all
    }
  }

  test("update mode gives out the windows that were touched, as they stand") {
    touched(30 * Second, 10 * Second, 0)
  }

  test("and with lateness those that have ended, whether they are in memory or read back") {
    touched(30 * Second, 10 * Second, 300 * Second)
    touched(120 * Second, 60 * Second, 300 * Second)
  }

  test("state of another spec is refused") {
    val one = new StoredPartition(blueprint(windows), conf)
    one.batch(Seq(Event("a", Day, 1)), 0, 0)
    val bytes = one.state.collectFirst { case ((StateRows.Common, _, _), value) => value.toArray }.get
    val mark = PartitionMark.of(bytes)
    assert(mark.fingerprint == blueprint(windows.take(1)).fingerprint, "windows may change")
    assert(PartitionMark.of(mark.toBytes) == mark)
    val refused = intercept[io.paddlewheel.Refusal](PartitionMark.of(9.toByte +: bytes.tail))
    assert(refused.condition == "STATE_VERSION_UNKNOWN")
    assert(intercept[io.paddlewheel.Refusal](PartitionMark.of(bytes.take(20))).condition == "STATE_CORRUPT")
  }
}
