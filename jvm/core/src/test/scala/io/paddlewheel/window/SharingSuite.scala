package io.paddlewheel.window

import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.column.{Cells, Column, Combiner, Schema}
import io.paddlewheel.sharing.{Hop, Relation}
import io.paddlewheel.time.{Fixed, Levels}
import io.paddlewheel.time.Micros.{Day, Hour, Minute, Second}
import io.paddlewheel.wheel.Wheel

/** Windows share slices, and roll on in constant time: merges are counted, not seconds. */
class SharingSuite extends AnyFunSuite {

  /** A sum that counts how often it is merged. */
  private final class Counting(override val idempotent: Boolean = false) extends Combiner {
    var merges = 0L
    def name: String = "counting"
    def merge(into: AnyRef, from: AnyRef): AnyRef = {
      merges += 1
      Long.box(long(into) + long(from))
    }
    def copy(value: AnyRef): AnyRef = value
    def toBytes(value: AnyRef): Array[Byte] = long(value).toString.getBytes("UTF-8")
    def fromBytes(bytes: Array[Byte]): AnyRef = Long.box(new String(bytes, "UTF-8").toLong)
    private def long(value: AnyRef): Long = value.asInstanceOf[java.lang.Long].longValue
  }

  private val levels = Levels(Seq("1 second" -> None))

  /** Merges made by the windows while `slots` seconds, all with data, pass in steps; and what was emitted. */
  private def run(windows: IndexedSeq[Window], slots: Int, step: Int): (Long, Set[(Long, Long, Any)]) = {
    val counting = new Counting
    val schema = Schema(Column.Combined("c", counting))
    val set = new WindowSet(levels, schema, windows.zipWithIndex.map { case (w, n) => (s"w$n", w) })
    val wheel = new Wheel(levels, schema)
    val turning = set.of(wheel, wheel.watermark)
    val row = Cells(schema, 1)
    val emitted = Set.newBuilder[(Long, Long, Any)]
    var merges = 0L
    (0 until slots).foreach { slot =>
      row.objects(0)(0) = Long.box(slot.toLong)
      wheel.merge(slot.toLong, row, 0)
      if ((slot + 1) % step == 0) {
        wheel.advance((slot + 1) * Second)
        val before = counting.merges
        turning.advance((_, start, end, value) => emitted += ((start, end, value.objects(0)(0))))
        merges += counting.merges - before
      }
    }
    (merges, emitted.result())
  }

  private def tumbling(seconds: Long): Window = Window.Tumbling(Fixed(seconds * Second, 0))

  test("{20, 30, 40} are planned over a factor window of 10") {
    val set = new WindowSet(
      levels,
      Measures(Measure.DoubleSum).schema,
      Vector("a" -> tumbling(20), "b" -> tumbling(30), "c" -> tumbling(40))
    )
    val plan = set.sharing(0)
    assert(plan.factors == Vector(Hop(10, 10)) && plan.relation == Relation.PartitionedBy)
  }

  test("extremes share overlapping windows, sums none") {
    val windows =
      Vector("a" -> Window.Sliding(10 * Second, 2 * Second), "b" -> Window.Sliding(8 * Second, 2 * Second))
    val extremes = new WindowSet(levels, Measures(Measure.Max).schema, windows)
    assert(extremes.sharing(0).parent(Hop(10, 2)).contains(Hop(8, 2)))
    assert(new WindowSet(levels, Measures(Measure.Sum).schema, windows).sharing.isEmpty)
  }

  test("a window reads the coarsest level that has its edges and keeps it long enough") {
    val clock = Levels(Seq("1 second" -> None, "1 minute" -> None, "1 hour" -> None))
    def level(range: Long, slide: Long): Set[Int] =
      new WindowSet(
        clock,
        Measures(Measure.Max).schema,
        Vector("w" -> Window.Sliding(range, slide))
      ).sharing.keySet
    assert(
      level(2 * Hour, Second) == Set(0) && level(90 * Minute, 15 * Minute) == Set(1) && level(
        Day,
        Hour
      ) == Set(2)
    )
  }

  for (step <- Seq(1, 16, 1200))
    test(s"shared windows merge less than the same windows apart, in steps of $step") {
      val windows = Vector(tumbling(20), tumbling(30), tumbling(40))
      val (together, found) = run(windows, 1200, step)
      val apart = windows.map(w => run(Vector(w), 1200, step))
      assert(found == apart.flatMap(_._2).toSet && found.size == 60 + 40 + 30)
      // Per slot three times apart; once together, and a few for the factors of each instance.
      assert(apart.map(_._1).sum >= 3 * 1200 - 130)
      assert(together <= 1200 + 500, s"$together merges")
    }

  for ((range, slide) <- Seq((100L, 1L), (1000L, 1L), (100L, 10L), (101L, 10L)))
    test(s"a slide costs a few merges however long the range is: $range by $slide") {
      val slots = 5000
      val (merges, found) = run(Vector(Window.Sliding(range * Second, slide * Second)), slots, 1)
      val slices = slots / slide * (if (range % slide == 0) 1 else 2)
      assert(found.size >= (slots - range) / slide)
      // Each slot once into its slice, each slice three times: into the back, at the turn, into an answer.
      assert(merges <= slots + 3 * slices, s"$merges merges for $slices slices")
    }

  test("two stacks are a queue, whatever is pushed and dropped") {
    val random = new scala.util.Random(42)
    val measures = Measures(Measure.Sum, Measure.Max, Measure.TopThree)
    val stacks = new TwoStacks(measures.schema)
    val total = Cells(measures.schema, 1)
    var queue = Vector.empty[(Long, Option[Long])]
    var next = 0L
    (1 to 20000).foreach { _ =>
      if (random.nextInt(5) < 3) {
        val value = Option.when(random.nextBoolean())(random.nextInt(100).toLong)
        stacks.push(next, measures.row(value), 0)
        queue :+= ((next, value))
        next += 1 + random.nextInt(3)
      } else {
        val from = queue.headOption.fold(next)(_._1) + random.nextInt(12)
        stacks.dropBefore(from)
        queue = queue.filter(_._1 >= from)
      }
      assert(stacks.isEmpty == queue.isEmpty)
      measures.schema.clear(total, 0)
      stacks.fold(total, 0)
      if (queue.nonEmpty) assert(measures.read(total, 0) == measures.naive(queue.map(_._2)))
    }
  }
}
