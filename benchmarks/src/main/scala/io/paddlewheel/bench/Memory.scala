package io.paddlewheel.bench

import scala.collection.mutable

import org.openjdk.jol.info.GraphLayout

import io.paddlewheel.column.Cells
import io.paddlewheel.time.Micros
import io.paddlewheel.wheel.{Turn, Wheel}

/** Bytes of a wheel, stored and in memory: full of a second's values for days, and nearly empty.
  *
  * In memory means all objects reachable from a wheel, less the levels, columns and watermark that all wheels of a spec
  * share.
  */
object Memory extends Part {
  def name: String = "memory"
  def title: String = "Bytes of a wheel"

  def measure(peer: Peer): Seq[Figure] =
    Seq(1, 7).flatMap(full(peer, _)) ++ Seq(1, 10, 1000).flatMap(sparse(peer, _))

  private def full(peer: Peer, days: Int): Seq[Figure] = {
    val wheel = SumWheel.filled(days)
    val turn = new Turn(SumWheel.levels, wheel.watermark + 1)
    wheel.advance(turn)
    val grown = heap(Seq(wheel), turn)
    wheel.trim()
    val trimmed = heap(Seq(wheel), turn)
    val packed = wheel.pack().bytes.toDouble
    val plain = peer("memory", "days" -> days)
    val prefix = peer("memory", "days" -> days, "variant" -> "prefix")
    val small = peer("memory", "days" -> days, "variant" -> "compressed")
    val large = peer("memory", "days" -> days, "variant" -> "compressed", "chunk" -> 4096)
    Seq(plain, prefix, small, large).foreach { answer =>
      same(s"$days days", SumWheel.total(wheel).toString, answer.text("checksum"))
    }
    def figure(
        what: String,
        ours: Double,
        peers: Peer.Answer,
        field: String,
        target: Option[Target] = None
    ): Figure =
      Figure(s"${Workload.named(days)}, $what", ours, Some(peers.number(field)), "bytes", target)
    Seq(
      figure("packed, against bincode", packed, plain, "bincode_bytes", Some(Target.AtMost(1.0))),
      figure("packed, against postcard", packed, plain, "postcard_bytes"),
      figure("packed, against pco by 128 in bincode", packed, small, "bincode_bytes"),
      figure("packed, against pco by 4096 in bincode", packed, large, "bincode_bytes"),
      figure("in memory, trimmed", trimmed, plain, "heap_bytes", Some(Target.AtMost(1.1))),
      figure("in memory, with room to grow", grown, plain, "heap_bytes"),
      figure("in memory, trimmed, against prefix", trimmed, prefix, "heap_bytes"),
      figure("in memory, trimmed, against the peer's own count", trimmed, plain, "own_size_bytes")
    )
  }

  private def sparse(peer: Peer, occupied: Int): Seq[Figure] = {
    val wheels = 1000
    val answer = peer("memory", "occupied" -> occupied, "wheels" -> wheels)
    val random = new SplitMix64(3)
    val seconds = Seq.fill(wheels)(distinctSeconds(random, occupied))
    val end = new Turn(SumWheel.levels, Workload.Begin + Micros.Day)
    Seq(
      ("inserts only", "inserts_only", false, false),
      ("then advanced", "inserts_then_advance", false, true),
      ("advanced before each event", "advance_before_each_event", true, true)
    ).map { case (what, field, along, atEnd) =>
      val made = seconds.map { taken =>
        val wheel = sparseWheel(taken, along)
        if (atEnd) wheel.advance(end)
        same(s"$occupied seconds", SumWheel.total(wheel), occupied.toLong)
        wheel
      }
      val slots = if (occupied == 1) "1 slot" else s"$occupied slots"
      val peers = answer.number(s"heap_bytes_per_wheel_$field")
      Figure(
        s"$slots of a day, $what",
        heap(made, if (atEnd) end else null) / wheels,
        Some(peers),
        "bytes/key"
      )
    }
  }

  /** Every event counts one. */
  private def sparseWheel(seconds: Seq[Long], advanceFirst: Boolean): Wheel = {
    val wheel = SumWheel.empty()
    val one = Cells(SumWheel.schema, 1)
    one.longs(0)(0) = 1
    seconds.foreach { second =>
      val instant = Workload.Begin + second * Micros.Second
      if (advanceFirst) wheel.advance(instant)
      wheel.insert(instant, one, 0)
    }
    wheel
  }

  private def distinctSeconds(random: SplitMix64, count: Int): Seq[Long] = {
    val taken = mutable.SortedSet.empty[Long]
    while (taken.size < count) taken += random.below(Workload.DaySeconds.toLong)
    taken.toSeq
  }

  private def heap(wheels: Seq[Wheel], turn: Turn): Double = {
    val shared = Seq[AnyRef](SumWheel.levels, SumWheel.schema, turn).filter(_ != null)
    (size(wheels ++ shared) - size(shared)).toDouble
  }

  private def size(roots: Seq[AnyRef]): Long = GraphLayout.parseInstance(roots: _*).totalSize
}
