package io.paddlewheel.wheel

import scala.util.Random

import org.scalacheck.Gen
import org.scalacheck.Prop.{forAllNoShrink, propBoolean}
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.{Checks, Gens, Mill, Plain, Step}
import io.paddlewheel.column.{Cells, Column, Kind, Merge, Schema}
import io.paddlewheel.time.{Instants, Levels}
import io.paddlewheel.time.Times.utc

class WheelSuite extends AnyFunSuite with Checks {

  private def same(packed: PackedWheel, other: PackedWheel): Boolean = {
    def plain(p: PackedWheel) =
      (p.watermark, p.first, p.last, p.landmark.toSeq, p.rotations.map(_.map(r => (r._1, r._2.toSeq))))
    plain(packed) == plain(other)
  }

  private def everything(wheel: Wheel): Option[Seq[Any]] = {
    val into = Cells(wheel.schema, 1)
    wheel.schema.clear(into, 0)
    Option.when(wheel.landmark(into, 0))(Plain.read(into, 0))
  }

  check("every slot held is what the oracle says of its time") {
    forAllNoShrink(Gens.program) { program =>
      val mill = Mill.of(program)
      val levels = program.levels
      (0 until levels.count).forall { level =>
        val grid = levels.granularity(level)
        val present = Mill.slots(mill.wheel, level)
        val touched = mill.oracle.instants.map(grid.slotOf).toSet
        (touched ++ present.keySet).filter(slot => mill.held(level, grid.start(slot))).forall { slot =>
          val (start, end) = (grid.start(slot), grid.end(slot))
          val expected = if (mill.known(level, start)) mill.oracle.answer(start, end) else None
          val folded = mill.slot(level, slot)
          (Plain.same(present.get(slot), expected) && Plain.same(folded, expected)) || {
            println(s"level $level slot $slot: ${present.get(slot)}, folded $folded, expected $expected")
            false
          }
        }
      }
    }
  }

  check("a merge tells what became of its value") {
    forAllNoShrink(Gens.program) { program =>
      val mill = new Mill(program.levels, program.schema)
      program.steps.forall {
        case Step.Row(instant, values) =>
          val slot = program.levels.base.slotOf(instant)
          val end = program.levels.base.end(slot)
          val expected =
            if (mill.wheel.watermark <= Instants.Min || end > mill.wheel.watermark) Outcome.Live
            else if ((0 until program.levels.count).exists(mill.held(_, program.levels.base.start(slot))))
              Outcome.Repaired
            else Outcome.Expired
          mill.row(instant, values) == expected
        case step =>
          mill.run(Seq(step))
          true
      }
    }
  }

  check("a late value repairs its own slot and one ancestor per level, and no other") {
    forAllNoShrink(Gens.program) { program =>
      val mill = Mill.of(program)
      val levels = program.levels
      mill.wheel.expire()
      program.steps.collect { case row: Step.Row => row }.take(10).forall { row =>
        val before = (0 until levels.count).map(Mill.slots(mill.wheel, _))
        val repaired = mill.row(row.instant, row.values) == Outcome.Repaired
        (0 until levels.count).forall { level =>
          val after = Mill.slots(mill.wheel, level)
          val own = levels.granularity(level).slotOf(row.instant)
          val start = levels.granularity(level).start(own)
          val others = (before(level).keySet ++ after.keySet) - own
          others.forall(slot => Plain.same(before(level).get(slot), after.get(slot))) &&
          (!repaired || after.contains(own) == (mill.held(level, start) && mill.known(level, start)))
        }
      }
    }
  }

  check("the order of rows between two watermarks leaves no trace in the bytes") {
    forAllNoShrink(Gens.programs(Gens.orderFree), Gen.long) { (program, seed) =>
      val random = new Random(seed)
      def shuffled(steps: Seq[Step]): Seq[Step] =
        if (steps.isEmpty) Nil
        else {
          val (rows, rest) = steps.span(_.isInstanceOf[Step.Row])
          random.shuffle(rows) ++ rest.take(1) ++ shuffled(rest.drop(1))
        }
      val straight = Mill.of(program).wheel.pack()
      val mixed = Mill.of(program.copy(steps = shuffled(program.steps))).wheel.pack()
      same(straight, mixed)
    }
  }

  check("a restart leaves no trace in the bytes") {
    forAllNoShrink(Gens.program) { program =>
      val without = Mill.of(program.copy(steps = program.steps.filter(_ != Step.Restore)))
      val always = Mill.of(program.copy(steps = program.steps.flatMap(Seq(_, Step.Restore))))
      same(without.wheel.pack(), always.wheel.pack())
    }
  }

  check("a restored wheel has the same bytes, and gives the same answers") {
    forAllNoShrink(Gens.program) { program =>
      val wheel = Mill.of(program).wheel
      val restored = Wheel.restore(program.levels, program.schema, wheel.pack())
      same(wheel.pack(), restored.pack()) && restored.first == wheel.first && restored.last == wheel.last &&
      restored.watermark == wheel.watermark && Plain.same(everything(restored), everything(wheel)) &&
      (0 until program.levels.count).forall { level =>
        Plain.same(
          Mill.slots(wheel, level).toSeq.sortBy(_._1),
          Mill.slots(restored, level).toSeq.sortBy(_._1)
        )
      }
    }
  }

  check("expiry drops what retention does not keep, and nothing else") {
    forAllNoShrink(Gens.program) { program =>
      val mill = Mill.of(program)
      val levels = program.levels
      val before = (0 until levels.count).map(mill.wheel.rotations(_).toSeq)
      val dropped = mill.wheel.expire()
      val after = (0 until levels.count).map(mill.wheel.rotations(_).toSeq)
      val kept = (0 until levels.count).map { level =>
        before(level).filter(rotation => mill.held(level, levels.rotationStart(level, rotation)))
      }
      after == kept && dropped == before.map(_.size).sum - kept.map(_.size).sum && mill.wheel.expire() == 0
    }
  }

  check("expiry spares what is still needed") {
    forAllNoShrink(Gens.program, Gen.oneOf(true, false)) { (program, all) =>
      val mill = Mill.of(program)
      val levels = program.levels
      val keepFrom = if (all) Long.MinValue else mill.oracle.instants.lastOption.getOrElse(0L)
      val before = (0 until levels.count).map(mill.wheel.rotations(_).toSeq)
      mill.wheel.expire(keepFrom)
      (0 until levels.count).forall { level =>
        mill.wheel.rotations(level).toSeq == before(level).filter { rotation =>
          levels.rotationEnd(level, rotation) > keepFrom ||
          mill.held(level, levels.rotationStart(level, rotation))
        }
      }
    }
  }

  check("the landmark is all that was ever merged, expired or not") {
    forAllNoShrink(Gens.program) { program =>
      val mill = Mill.of(program)
      mill.wheel.expire()
      Plain.same(everything(mill.wheel), mill.oracle.everything)
    }
  }

  check("first and last enclose every slot ever merged") {
    forAllNoShrink(Gens.program) { program =>
      val mill = Mill.of(program)
      val base = program.levels.base
      val slots = mill.oracle.instants.map(base.slotOf)
      mill.wheel.isEmpty == slots.isEmpty &&
      mill.wheel.first == slots.map(base.start).minOption.getOrElse(Long.MaxValue) &&
      mill.wheel.last == slots.map(base.end).maxOption.getOrElse(Long.MinValue)
    }
  }

  check("the next slot is the first one held from an instant on") {
    forAllNoShrink(Gens.program, Gen.oneOf(true, false)) { (program, expired) =>
      val mill = Mill.of(program)
      if (expired) mill.wheel.expire()
      val starts = Mill.slots(mill.wheel, 0).keys.map(program.levels.base.start).toSeq.sorted
      (mill.oracle.instants ++ starts).distinct.forall { instant =>
        mill.wheel.nextSlot(instant) == starts.find(_ >= instant)
      }
    }
  }

  check("a watermark that does not rise changes nothing") {
    forAllNoShrink(Gens.program, Gen.choose(0L, 1L << 50)) { (program, back) =>
      val wheel = Mill.of(program).wheel
      val before = wheel.pack()
      wheel.advance(math.max(Instants.Min, wheel.watermark - back))
      wheel.advance(new Turn(program.levels, math.max(Instants.Min, wheel.watermark - back)))
      same(before, wheel.pack())
    }
  }

  private val count = Schema(Column.Primitive("count", Kind.Long, Merge.Sum))
  private val one = Plain.cells(count, Seq(Some(BigInt(1))))
  private val clock = Levels(
    Seq(
      "1 second" -> Some("2 days"),
      "1 minute" -> Some("30 days"),
      "1 hour" -> Some("1 year"),
      "1 day" -> None
    )
  )
  private val Second = 1000000L
  private val Year = 365 * 86400 * Second

  test("idle years cost nothing: no rotation is made for them") {
    val wheel = new Wheel(clock, count)
    val start = utc("2026-03-01T00:00:00")
    wheel.merge(clock.base.slotOf(start), one, 0)
    // A wheel that stepped through the seconds of these years would not end.
    (1L to 20000L).foreach(n => wheel.advance(start + n * Year))
    assert((0 until clock.count).map(wheel.rotations(_).size) == Seq(1, 1, 1, 1))
    assert(Mill.slot(wheel, 3, clock.granularity(3).slotOf(start)).contains(Seq(Some(BigInt(1)))))
    assert(wheel.expire() == 3)
    (1L to 20000L).foreach(n => wheel.advance(start + 20000 * Year + n * Second * 3600))
    assert((0 until clock.count).map(wheel.rotations(_).size) == Seq(0, 0, 0, 1))
  }

  test("an empty wheel takes a first watermark of any height") {
    Seq(Instants.Min + 1, -1L, utc("2026-03-01T00:00:00"), Instants.Max, Long.MaxValue).foreach { watermark =>
      val wheel = new Wheel(clock, count)
      wheel.advance(watermark)
      assert(wheel.watermark == math.min(watermark, Instants.Max) && wheel.isEmpty && wheel.expire() == 0)
      assert((0 until clock.count).forall(wheel.rotations(_).isEmpty))
      assert(wheel.nextSlot(0L).isEmpty)
    }
  }

  test("a first watermark that jumps past everything seals all of it") {
    val wheel = new Wheel(clock, count)
    val start = utc("2026-03-01T10:15:23")
    (0L until 10000L).foreach(n => wheel.merge(clock.base.slotOf(start + n * Second), one, 0))
    wheel.advance(start + 3 * 86400 * Second)
    assert(everything(wheel).contains(Seq(Some(BigInt(10000)))))
    val day = clock.granularity(3).slotOf(start)
    assert(Mill.slot(wheel, 3, day).contains(Seq(Some(BigInt(10000)))))
    assert(wheel.merge(clock.base.slotOf(start), one, 0) == Outcome.Repaired)
    assert(Mill.slot(wheel, 3, day).contains(Seq(Some(BigInt(10001)))))
  }

  test("nothing is left to find after all has expired") {
    val levels = Levels(Seq("1 second" -> Some("1 minute"), "1 minute" -> Some("1 hour")))
    val wheel = new Wheel(levels, count)
    wheel.merge(0L, one, 0)
    wheel.advance(Year)
    assert(wheel.expire() == 2 && wheel.nextSlot(0L).isEmpty && wheel.expire() == 0)
    assert(wheel.merge(5L, one, 0) == Outcome.Expired)
    assert(everything(wheel).contains(Seq(Some(BigInt(1)))) && wheel.last == Second)
    assert(wheel.merge(levels.base.slotOf(Year), one, 0) == Outcome.Live)
  }

  test("retention counts from the watermark as it is, not from when a rotation was last sealed") {
    // A minute and a half is not a whole number of rotations: the cut passes one in the middle of the next.
    val levels = Levels(Seq("1 second" -> Some("90 seconds"), "1 minute" -> Some("90 seconds")))
    val wheel = new Wheel(levels, count)
    wheel.merge(0L, one, 0)
    wheel.advance(121 * Second)
    assert(wheel.rotations(0).size == 1 && wheel.expire() == 0)
    wheel.advance(151 * Second)
    assert(wheel.merge(59L, one, 0) == Outcome.Repaired && wheel.expire() == 1)
  }

  test("a stored wheel is refused with other levels") {
    val packed = new Wheel(clock, count).pack()
    val refused =
      intercept[io.paddlewheel.Refusal](Wheel.restore(Levels(Seq("1 second" -> None)), count, packed))
    assert(refused.condition == "WHEEL_LEVELS_MISMATCH")
  }
}
