package io.paddlewheel.wheel

import scala.collection.immutable.TreeMap
import scala.util.Random

import org.scalacheck.Gen
import org.scalacheck.Prop.forAllNoShrink
import org.scalacheck.rng.Seed
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.Checks
import io.paddlewheel.column._

class TrackSuite extends AnyFunSuite with Checks {
  private val long = Scalars.Wholes(Kind.Long)

  private val running = new Rows(
    Vector(
      new Subject.Whole(Scalars.Wholes(Kind.Int), Merge.Sum, nulls = false),
      new Subject.ExactSums(long, nulls = true),
      new Subject.Whole(long, Merge.Xor, nulls = true)
    )
  )
  private val mixed = new Rows(
    Vector(
      new Subject.Whole(Scalars.Wholes(Kind.Byte), Merge.Sum, nulls = true),
      new Subject.Extremum(Scalars.Floatings(Kind.Double), Merge.Max, nulls = true),
      Subject.Sets,
      new Subject.Args(long, long, Extreme.Greatest, Extreme.Least),
      new Subject.ExtremeCounts(Scalars.Floatings(Kind.Float), Extreme.Least)
    )
  )

  /** Sizes of what is appended: the slots of a rotation and the rotations missing between two. */
  private sealed case class Shape(name: String, density: Double, gaps: Random => Long)

  private val shapes = Seq(
    Shape("dense, none missing", 0.98, _ => 0L),
    Shape("half full, a few missing", 0.5, random => random.nextInt(3).toLong),
    Shape("sparse, some missing", 0.04, random => random.nextInt(20).toLong),
    Shape(
      "sparse, far apart",
      0.1,
      random =>
        if (random.nextInt(4) == 0) (random.nextDouble() * 3e9).toLong else random.nextInt(2000000000).toLong
    )
  )

  for ((rows, columns) <- Seq(running -> "running totals", mixed -> "mixed columns"); shape <- shapes)
    check(s"as a map of slots does: $columns, ${shape.name}", cases = 12)(forAllNoShrink(Gen.long) { seed =>
      val trial = new Trial(rows, shape, seed)
      (0 until 60).foreach(_ => trial.step())
      true
    })

  test("an empty track has nothing") {
    val track = new Track(running.schema)
    val into = Cells(running.schema, 1)
    def nothing(): Unit = {
      assert(track.isEmpty && track.next(0, 0).isEmpty && track.previous(9, 0).isEmpty)
      assert(track.rotation(0).isEmpty && track.rotations.isEmpty)
      assert(!track.fold(into, 0, Long.MinValue, 0, Long.MaxValue, 0))
      assert(track.dropBefore(5) == 0)
      track.trim()
    }
    nothing()
    track.append(1, 1L, running.cells(Seq(sample(running))), running.cells(Seq(sample(running))))
    assert(track.dropBefore(2) == 1)
    nothing()
    track.merge(7, 3, running.cells(Seq(sample(running))), 0)
    assert(track.next(0, 0).contains((7L, 3)) && track.firstRotation == 7 && track.firstIndex == 3)
  }

  private def sample(rows: Rows): rows.Row = rows.rows.pureApply(Gen.Parameters.default, Seed(1L))

  /** A track and a map, changed alike. */
  private final class Trial(rows: Rows, shape: Shape, seed: Long) {
    private val random = new Random(seed)
    private val track = new Track(rows.schema)
    private var model = TreeMap.empty[(Long, Int), Vector[Vector[Any]]]
    private var last = random.nextInt(1000).toLong - 500
    private val pool =
      Gen.containerOfN[Vector, Vector[Any]](100, rows.rows).pureApply(Gen.Parameters.default, Seed(seed))

    private def draw(): Vector[Any] = pool(random.nextInt(pool.size))

    def step(): Unit = {
      random.nextInt(12) match {
        case 0 => drop()
        case 1 | 2 | 3 => repair(1)
        case 4 => repair(40)
        case 5 => track.trim()
        case _ => (0 to random.nextInt(8)).foreach(_ => append())
      }
      whole()
      (0 until 4).foreach { _ =>
        fold()
        next()
        rotation()
      }
    }

    private def append(): Unit = {
      last += 1 + shape.gaps(random)
      val indices = (0 until 64).filter(_ => random.nextDouble() < shape.density)
      val present = if (indices.isEmpty) Seq(random.nextInt(64)) else indices
      val values = present.map(_ => draw())
      val cells = rows.cells(values)
      cells.resize(64)
      val total = Cells(rows.schema, 1)
      rows.schema.clear(total, 0)
      rows.schema.fold(total, 0, cells, 0, values.size)
      track.append(last, present.map(1L << _).reduce(_ | _), cells, total)
      present.lazyZip(values).foreach((index, value) => model += (last, index) -> Vector(value))
    }

    /** Merges into slots that are there, that are not, and that are beyond either end. */
    private def repair(times: Int): Unit = {
      val near = anyRotation()
      (0 until times).foreach { _ =>
        val at = random.nextInt(8) match {
          case 0 if model.nonEmpty => model.head._1._1 - random.nextInt(4)
          case 1 if random.nextInt(10) == 0 => near - (random.nextDouble() * 4e9).toLong
          case 2 => near + shape.gaps(random)
          case _ => near
        }
        val index = random.nextInt(64)
        val value = draw()
        track.merge(at, index, rows.cells(Seq(draw(), value)), 1)
        model += (at, index) -> (model.getOrElse((at, index), Vector.empty) :+ value)
        last = math.max(last, at)
      }
    }

    private def drop(): Unit = {
      val before = if (random.nextInt(10) == 0) last + 1 else anyRotation()
      val (dropped, kept) = model.partition(_._1._1 < before)
      val found = track.dropBefore(before)
      model = kept
      assert(found == dropped.keysIterator.map(_._1).toSet.size, s"dropped before $before")
    }

    private def fold(): Unit = {
      val ends = Seq(anySlot(), anySlot())
      val (from, until) = if (random.nextInt(10) == 0) (ends.max, ends.min) else (ends.min, ends.max)
      val into = rows.cells(Seq(draw(), draw()))
      val first = rows.read(into, 1)
      val found = track.fold(into, 1, from._1, from._2, until._1, until._2)
      val values =
        if (Ordering[(Long, Int)].lt(from, until)) model.range(from, until).valuesIterator.flatten.toVector
        else Vector.empty
      val result = rows.read(into, 1)
      val expected = rows.total(first +: values)
      assert(found == values.nonEmpty, s"found in $from .. $until")
      assert(rows.same(result, expected), s"$from .. $until: $result instead of $expected")
    }

    private def next(): Unit = {
      val from = anySlot()
      val found = track.next(from._1, from._2)
      assert(found == model.rangeFrom(from).headOption.map(_._1), s"next to $from")
      val before = track.previous(from._1, from._2)
      assert(before == model.rangeUntil(from).lastOption.map(_._1), s"previous to $from")
    }

    private def rotation(): Unit = {
      val number = anySlot()._1
      val expected = model.range((number, 0), (number, 64)).toVector
      track.rotation(number) match {
        case None => assert(expected.isEmpty, s"no rotation $number")
        case Some((bitmap, cells)) =>
          assert(expected.nonEmpty, s"a rotation $number")
          slots(number, bitmap, cells, expected)
      }
    }

    private def slots(
        number: Long,
        bitmap: Long,
        cells: Cells,
        expected: Vector[((Long, Int), Vector[Vector[Any]])]
    ): Unit = {
      val indices = (0 until 64).filter(index => (bitmap >>> index & 1L) != 0)
      assert(indices == expected.map(_._1._2), s"bitmap of $number")
      val right = expected.indices.forall(k => rows.same(rows.read(cells, k), rows.total(expected(k)._2)))
      assert(right, s"slots of $number")
    }

    /** What the track says of itself. */
    private def whole(): Unit = {
      val numbers = model.keysIterator.map(_._1).toVector.distinct
      assert(track.rotations.toVector == numbers && track.isEmpty == numbers.isEmpty)
      if (numbers.nonEmpty) {
        assert(track.firstRotation == numbers.head && track.lastRotation == numbers.last)
        assert(track.firstIndex == model.head._1._2)
      }
      if (random.nextInt(8) == 0) {
        val byNumber = model.toVector.groupBy(_._1._1)
        var visited = Vector.empty[Long]
        track.foreach { (number, bitmap, cells) =>
          visited :+= number
          slots(number, bitmap, cells, byNumber(number))
        }
        assert(visited == numbers)
      }
    }

    private def anyRotation(): Long =
      if (model.isEmpty) last
      else {
        val lowest = model.head._1._1
        val highest = model.last._1._1
        val guess = lowest + (random.nextDouble() * (highest - lowest)).toLong
        model.rangeFrom((guess, 0)).head._1._1
      }

    private def anySlot(): (Long, Int) = {
      val about = random.nextInt(20) match {
        case 0 => anyRotation() - 5000000000L
        case 1 => last + 5000000000L
        case _ => anyRotation()
      }
      (about + random.nextInt(3) - 1, random.nextInt(65))
    }
  }
}
