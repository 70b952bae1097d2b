package io.paddlewheel.column

import scala.collection.immutable.TreeMap

import org.scalatest.funsuite.AnyFunSuite

/** The worked examples of a sliding window, over slots of 100 ms. */
class SlidingMaxSuite extends AnyFunSuite {

  /** Slots by their number, of one column. */
  private final class Slots[V](subject: Subject[V]) {
    private val schema = Schema(subject.column("it"))
    private var slots = TreeMap.empty[Long, Cells]

    def merge(slot: Long, value: V): Unit = {
      val cells = Cells(schema, 1)
      subject.write(cells, 0, 0, value)
      slots.get(slot) match {
        case Some(present) => schema.merge(present, 0, cells, 0)
        case None => slots += slot -> cells
      }
    }

    /** All of `(after, until]`. */
    def window(after: Long, until: Long): V = {
      val result = Cells(schema, 1)
      schema.clear(result, 0)
      slots.range(after + 1, until + 1).values.foreach(schema.merge(result, 0, _, 0))
      subject.read(result, 0, 0)
    }
  }

  test("max and its count over the last 5 s") {
    val slots = new Slots(new Subject.ExtremeCounts(Scalars.Wholes(Kind.Int), Extreme.Greatest))
    def add(tenths: Long, value: Long): Unit = slots.merge(tenths, Some((value, 1L)))
    def at(tenths: Long): Option[(Long, Long)] = slots.window(tenths - 50, tenths)

    add(20, 4)
    add(30, 3)
    add(40, 0)
    add(60, 4)
    assert(at(60).contains((4, 2)))
    add(65, 4)
    assert(at(65).contains((4, 3)))
    add(23, 5)
    assert(at(65).contains((5, 1)))
    assert(at(72).contains((5, 1)))
    assert(at(77).contains((4, 2)))
    assert(at(115).isEmpty && at(114).contains((4, 1)))
  }

  test("the top three of a window, greatest first") {
    val slots = new Slots(Subject.Tops)
    Seq(10L -> 5L, 10L -> -7L, 20L -> 9L, 30L -> 9L, 40L -> 1L).foreach { case (slot, value) =>
      slots.merge(slot, Some(Seq(value)))
    }
    assert(slots.window(0, 40).contains(Seq(9, 9, 5)))
    assert(slots.window(10, 40).contains(Seq(9, 9, 1)))
    assert(slots.window(0, 10).contains(Seq(5, -7)))
    assert(slots.window(0, 40).contains(Seq(9, 9, 5)), "a window asked again is the same")
    assert(slots.window(40, 50).isEmpty)
  }
}
