package io.paddlewheel.sharing

import org.scalatest.funsuite.AnyFunSuite

import scala.util.Random

class PlanningTimeSuite extends AnyFunSuite {

  private val day = 86400L

  private def millis(windows: Seq[Hop], relation: Relation): Double = {
    val start = System.nanoTime()
    SharingPlan.best(windows, relation)
    (System.nanoTime() - start) / 1e6
  }

  private def typical(random: Random, unit: Long): Seq[Hop] = Seq.fill(5 + random.nextInt(6)) {
    val lengths =
      Vector(1L, 5L, 10L, 15L, 30L, 60L, 300L, 900L, 1800L, 3600L, 3 * 3600L, 12 * 3600L, day, 7 * day)
    val range = lengths(random.nextInt(lengths.size))
    val slides = lengths.filter(_ <= range)
    Hop(range * unit, slides(random.nextInt(slides.size)) * unit)
  }

  for (relation <- RandomSets.relations; unit <- Seq(1L, 1000L, 1000000L))
    test(
      s"five to ten windows of up to a week are planned in less than 50 ms, $relation, $unit slots a second"
    ) {
      val random = new Random(3)
      val times = Vector.fill(150)(millis(typical(random, unit), relation)).drop(50).sorted
      info(f"median ${times(50)}%.1f ms, 90 %% ${times(90)}%.1f ms, longest ${times.last}%.1f ms")
      assert(times(50) < 50)
    }

  for (relation <- RandomSets.relations)
    test(s"long ranges that slide by one slot, and lengths with nothing in common, $relation") {
      val sliding = Seq(1, 2, 3, 5, 7).map(days => Hop(days * day, 1))
      val odd = Seq(604801L, 86399L, 1000003L, 999983L, 7919L * 104729L).map(Hop.tumbling)
      val many = (1L to 60L).map(n => Hop.tumbling(n * 60))
      Seq(sliding, odd, sliding ++ odd, many).foreach { windows =>
        val time = Seq.fill(3)(millis(windows, relation)).min
        info(f"${windows.size} windows: $time%.1f ms")
        assert(time < 1000)
      }
    }
}
