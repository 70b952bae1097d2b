package io.paddlewheel.wheel

import scala.collection.immutable.TreeMap
import scala.util.Random

import org.scalacheck.Gen
import org.scalacheck.Prop.forAllNoShrink
import org.scalacheck.rng.Seed
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.Checks
import io.paddlewheel.column._

class LiveRotationsSuite extends AnyFunSuite with Checks {
  private val rows = new Rows(
    Vector(
      new Subject.Whole(Scalars.Wholes(Kind.Long), Merge.Sum, nulls = true),
      new Subject.Extremum(Scalars.Floatings(Kind.Double), Merge.Min, nulls = true),
      Subject.Tops
    )
  )

  check("as a map of slots does", cases = 60)(forAllNoShrink(Gen.long) { seed =>
    val random = new Random(seed)
    val pool =
      Gen.containerOfN[Vector, Vector[Any]](50, rows.rows).pureApply(Gen.Parameters.default, Seed(seed))
    val live = new LiveRotations(rows.schema)
    var model = TreeMap.empty[Long, TreeMap[Int, Vector[Vector[Any]]]]

    (0 until 600).foreach { _ =>
      val number = random.nextInt(7).toLong - 3
      val index = random.nextInt(64)
      random.nextInt(60) match {
        case 0 =>
          val dropped = random.nextInt(model.size + 1)
          live.dropFirst(dropped)
          model = model.drop(dropped)
        case 1 if !model.contains(number) =>
          val value = pool(random.nextInt(pool.size))
          live.add(number, PackedRotation.Slots(1L << index, rows.cells(Seq(value))))
          model += number -> TreeMap(index -> Vector(value))
        case _ =>
          val value = pool(random.nextInt(pool.size))
          val place = at(live, number).merge(index, rows.cells(Seq(value)), 0)
          val slots = model.getOrElse(number, TreeMap.empty[Int, Vector[Vector[Any]]])
          model += number -> (slots + (index -> (slots.getOrElse(index, Vector.empty) :+ value)))
          assert(rows.same(rows.read(live.find(number).cells, place), rows.total(model(number)(index))))
      }
      val begin = random.nextInt(65)
      val end = begin + random.nextInt(65 - begin)
      val numbers = model.keys.toVector
      assert((0 until live.size).map(live(_).rotation) == numbers)
      assert(live.search(number) == numbers.count(_ < number), s"search of $number")
      numbers.indices.foreach(at => fold(live(at), model(numbers(at)), begin, end))
    }
    true
  })

  private def at(live: LiveRotations, number: Long): LiveRotation = {
    val found = live.find(number)
    if (found == null) live.add(number) else found
  }

  private def fold(
      rotation: LiveRotation,
      slots: TreeMap[Int, Vector[Vector[Any]]],
      begin: Int,
      end: Int
  ): Unit = {
    val into = Cells(rows.schema, 1)
    rows.schema.clear(into, 0)
    val found = rotation.fold(into, 0, begin, end)
    val values = slots.range(begin, end)
    assert(rotation.bitmap == slots.keysIterator.map(1L << _).reduce(_ | _))
    assert(rotation.size == slots.size)
    assert(found == values.size, s"slots in [$begin, $end)")
    val read = rotation.slots
    assert(read.bitmap == rotation.bitmap)
    slots.valuesIterator.zipWithIndex.foreach { case (slot, rank) =>
      assert(rows.same(rows.read(read.cells, rank), rows.total(slot)), s"slot $rank in order")
    }
    if (values.nonEmpty) {
      val total = rows.total(values.valuesIterator.flatten.toVector)
      assert(rows.same(rows.read(into, 0), total), s"fold of [$begin, $end)")
    }
  }
}
