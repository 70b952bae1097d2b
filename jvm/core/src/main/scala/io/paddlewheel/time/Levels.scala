package io.paddlewheel.time

import java.time.ZoneId

import io.paddlewheel.Refusal

/** The levels of a wheel, base first: a chain in which every level's slots nest in those of the next.
  *
  * A rotation is numbered by the slot of the next level that it lies under; under the top level 64 slots make
  * a rotation. A slot's place in its rotation is `slot - firstSlot(level, rotationOf(level, slot))`.
  *
  * The offset of a zone may not always have fitted the levels shorter than a day (local mean time, before
  * 1900 or so). The slots of a day of that time do not cover it exactly: callers MUST NOT take rows from
  * before `earliest`.
  */
final class Levels private (levels: Array[Level], nestings: Array[Nesting], val zone: ZoneId)
    extends Serializable {

  // The arithmetic of even levels without a virtual call; 0 marks the uneven ones.
  private val fan: Array[Long] = nestings.map { case e: Even => e.fanOut; case _ => 0L }
  private val shift: Array[Long] = nestings.map { case e: Even => e.shift; case _ => 0L }
  private val divisors: Array[Divisor] = fan.map(f => if (f != 0) new Divisor(f) else null)
  private val granularities: Array[Granularity] = levels.map(_.granularity)

  def count: Int = levels.length

  def top: Int = levels.length - 1

  def apply(level: Int): Level = levels(level)

  def base: Granularity = granularities(0)

  def granularity(level: Int): Granularity = granularities(level)

  /** The most slots that a rotation of the level can have, at most 64. */
  def fanOut(level: Int): Int = nestings(level).fanOut.toInt

  /** The number of the rotation that holds a slot. */
  def rotationOf(level: Int, slot: Long): Long =
    if (fan(level) != 0) divisors(level).floor(slot + shift(level)) else nestings(level).rotationOf(slot)

  /** The number of the rotation that contains the instant. */
  def rotationAt(level: Int, instant: Long): Long =
    rotationOf(level, granularities(level).slotOf(math.max(Instants.Min, instant)))

  def firstSlot(level: Int, rotation: Long): Long =
    if (fan(level) != 0) rotation * fan(level) - shift(level) else nestings(level).firstSlot(rotation)

  /** How many slots a rotation has: 23 to 25 hours, 28 to 31 days; none where a zone skipped a day. */
  def slotsIn(level: Int, rotation: Long): Int =
    if (fan(level) != 0) fan(level).toInt
    else (firstSlot(level, rotation + 1) - firstSlot(level, rotation)).toInt

  def rotationStart(level: Int, rotation: Long): Long =
    if (level < top) granularities(level + 1).start(rotation)
    else granularities(level).start(firstSlot(level, rotation))

  def rotationEnd(level: Int, rotation: Long): Long = rotationStart(level, rotation + 1)

  /** The start of the oldest rotation that is kept at a watermark; `Instants.Min` if all of them are.
    *
    * A rotation is dropped once its end is not later than the watermark less the retention. The result never
    * falls as the watermark advances, nor rises from a level to a coarser one: a month may be shorter than the
    * 30 days that a finer level is retained for.
    */
  def heldFrom(level: Int, watermark: Long): Long =
    if (watermark <= Instants.Min || levels(level).retention.isEmpty) Instants.Min
    else {
      var cut = Long.MaxValue
      var finer = 0
      while (finer <= level) {
        levels(finer).retention.foreach(retention => cut = math.min(cut, retention.before(watermark, zone)))
        finer += 1
      }
      val rotation =
        if (level < top) granularities(level + 1).slotOf(cut)
        else rotationOf(level, granularities(level).slotOf(cut))
      math.max(Instants.Min, rotationStart(level, rotation))
    }

  /** The instant from which on every level nests exactly: `Instants.Min`, if a zone's past allows. */
  val earliest: Long = nestings.map(_.earliest).max

  /** The slots in one turn of every level: a rotation of each, and of the top what is retained, or 64. */
  def capacity: Long = {
    val size = granularities(top).nominal
    val atTop = levels(top).retention.fold(fanOut(top).toLong)(r => Math.floorDiv(r.nominal + size - 1, size))
    (0 until top).map(fanOut(_).toLong).sum + atTop
  }

  override def toString: String = {
    def kept(level: Level) = level.retention.fold("")(retention => s" for $retention")
    levels.map(level => level.granularity.text(zone) + kept(level)).mkString("Levels(", ", ", s" in $zone)")
  }
}

object Levels {

  /** Presence in a rotation is one `Long` of bits. */
  val MaxFanOut: Int = 64

  /** Levels by text: granularity and retention (`None` is for ever), base first. */
  def apply(levels: Seq[(String, Option[String])], zone: String = "UTC"): Levels = {
    val spec = LevelsText.read(levels, zone)
    refuse(spec.faults)
    build(spec.levels.flatten, spec.zone)
  }

  def of(levels: Seq[Level], zone: ZoneId): Levels = {
    refuse(new LevelFaults(zone).of(levels.map(Some(_))))
    build(levels, zone)
  }

  /** All that is wrong with a chain of levels; empty when `apply` would take it. */
  def faults(levels: Seq[(String, Option[String])], zone: String = "UTC"): Seq[Refusal] =
    LevelsText.read(levels, zone).faults

  private def refuse(faults: Seq[Refusal]): Unit = faults match {
    case Seq() => ()
    case Seq(one) => throw one
    case many =>
      val list = many.map(fault => s"\n- ${fault.getMessage}").mkString
      throw new Refusal("LEVELS_REFUSED", s"The levels have ${many.size} faults:$list")
  }

  private def build(levels: Seq[Level], zone: ZoneId): Levels = {
    val granularities = levels.map(_.granularity)
    val under =
      granularities.zip(granularities.drop(1)).map { case (lower, upper) => Nesting.of(lower, upper) }
    val nestings = under.collect { case Right(nesting) => nesting } :+ Even(MaxFanOut.toLong, 0)
    new Levels(levels.toArray, nestings.toArray, zone)
  }
}
