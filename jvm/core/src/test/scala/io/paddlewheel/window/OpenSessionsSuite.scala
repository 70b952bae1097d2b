package io.paddlewheel.window

import scala.collection.mutable
import scala.util.Random

import org.scalacheck.{Gen, Prop}
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.Checks

/** Sessions by exact instants, against their definition: what touches belongs together, and what has closed is gone. */
class OpenSessionsSuite extends AnyFunSuite with Checks {
  import Measure._

  private val measures = Measures(NullableSum, Max, TopThree)

  check("as merging all that touch, batch by batch", cases = 400)(Prop.forAllNoShrink(Gen.long) { seed =>
    val random = new Random(seed)
    val gap = 1L + random.nextInt(20)
    var sessions = new OpenSessions(measures.schema, gap)
    var naive = Seq.empty[(Long, Long, Seq[Option[Long]])] // start, end, values
    var now = 0L
    (0 until 12).forall { _ =>
      Seq.fill(random.nextInt(100))(now - random.nextInt(60)).foreach { instant =>
        val value = Option.when(random.nextInt(5) > 0)(random.nextInt(9) - 4L)
        sessions.add(instant, measures.row(value), 0)
        val (touching, others) =
          naive.partition { case (start, end, _) => start <= instant + gap && instant <= end }
        naive = others :+ (
          (
            (touching.map(_._1) :+ instant).min,
            (touching.map(_._2) :+ (instant + gap)).max,
            touching.flatMap(_._3) :+ value
          )
        )
      }
      if (random.nextInt(3) == 0) {
        val back = new OpenSessions(measures.schema, gap)
        back.unpack(sessions.pack())
        sessions = back
      }
      assert(sessions.nextEnd == naive.map(_._2).minOption.getOrElse(Long.MaxValue))
      val until = now - random.nextInt(30)
      val found = mutable.ArrayBuffer.empty[(Long, Long, Seq[Any])]
      sessions.close(until)((start, end, value) => found += ((start, end, measures.read(value, 0))))
      val (closed, open) = naive.partition(_._2 <= until)
      naive = open
      now += random.nextInt(80)
      val expected = closed.sortBy(_._1).map { case (start, end, values) =>
        val total = measures.row(values.head)
        values.tail.foreach(v => measures.schema.merge(total, 0, measures.row(v), 0))
        (start, end, measures.read(total, 0))
      }
      found.toSeq == expected && sessions.isEmpty == naive.isEmpty
    }
  })
}
