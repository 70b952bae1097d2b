package io.paddlewheel.column

import java.lang.{Double => JDouble}

/** Values from outside, merged by their [[Combiner]]. A null reference is neutral. */
private[column] final class Combination(val lane: Int, combiner: Combiner) extends Kernel {
  def idempotent: Boolean = combiner.idempotent

  def clear(into: Cells, i: Int): Unit = into.objects(lane)(i) = null

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    val values = into.objects(lane)
    val value = from.objects(lane)(j)
    if (value != null)
      values(i) = if (values(i) == null) combiner.copy(value) else combiner.merge(values(i), value)
  }
}

/** Count, mean and squared deviations merged as one, by the formula of Chan et al. that Spark's variance uses too. */
private[column] final class MomentsMerge(val lane: Int) extends Kernel {
  def idempotent: Boolean = false

  def clear(into: Cells, i: Int): Unit = {
    into.doubles(lane)(i) = 0.0
    into.doubles(lane + 1)(i) = 0.0
    into.doubles(lane + 2)(i) = 0.0
  }

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    val n = into.doubles(lane)
    val mean = into.doubles(lane + 1)
    val m2 = into.doubles(lane + 2)
    val added = from.doubles(lane)(j)
    if (n(i) == 0.0) {
      // The formula would round, and make NaN of a mean whose square is beyond a double.
      n(i) = added
      mean(i) = from.doubles(lane + 1)(j)
      m2(i) = from.doubles(lane + 2)(j)
    } else if (added != 0.0) {
      val total = n(i) + added
      val delta = from.doubles(lane + 1)(j) - mean(i)
      val step = delta / total
      m2(i) += from.doubles(lane + 2)(j) + delta * step * n(i) * added
      mean(i) += step * added
      n(i) = total
    }
  }
}

/** The extreme value and how often it was seen. */
private[column] final class ExtremeCountMerge(val lane: Int, order: Order, extreme: Extreme) extends Kernel {
  private val sign = if (extreme == Extreme.Greatest) 1 else -1
  def idempotent: Boolean = false

  def clear(into: Cells, i: Int): Unit = {
    order.zero(into, lane, i)
    into.longs(lane + 1)(i) = 0L
  }

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit = {
    val counts = into.longs(lane + 1)
    val added = from.longs(lane + 1)(j)
    if (added != 0) {
      val beats = if (counts(i) == 0) 1 else sign * order.compare(from, j, into, i, lane)
      if (beats > 0) {
        order.copy(into, i, from, j, lane)
        counts(i) = added
      } else if (beats == 0) {
        if (order.compareBits(from, j, into, i, lane) < 0) order.copy(into, i, from, j, lane)
        counts(i) += added
      }
    }
  }
}

/** The value where `by` is extreme, ties broken by the value itself. */
private[column] final class ArgMerge(
    val lane: Int,
    value: Order,
    by: Order,
    extreme: Extreme,
    tieBreak: Extreme
) extends Kernel {
  private val sign = if (extreme == Extreme.Greatest) 1 else -1
  private val tieSign = if (tieBreak == Extreme.Greatest) 1 else -1
  def idempotent: Boolean = true

  def clear(into: Cells, i: Int): Unit = {
    value.zero(into, lane, i)
    by.zero(into, lane + 1, i)
    into.setValid(lane, i, false)
    into.setValid(lane + 1, i, false)
  }

  def merge(into: Cells, i: Int, from: Cells, j: Int): Unit =
    if (from.isValid(lane + 1, j) && (!into.isValid(lane + 1, i) || wins(from, j, into, i))) {
      value.copy(into, i, from, j, lane)
      by.copy(into, i, from, j, lane + 1)
      into.setValid(lane, i, from.isValid(lane, j))
      into.setValid(lane + 1, i, true)
    }

  private def wins(from: Cells, j: Int, into: Cells, i: Int): Boolean = {
    val byOrder = sign * by.compare(from, j, into, i, lane + 1)
    if (byOrder != 0) byOrder > 0
    else {
      val tied = tieSign * compareValues(from, j, into, i)
      tied > 0 || tied == 0 && by.compareBits(from, j, into, i, lane + 1) < 0
    }
  }

  private def compareValues(from: Cells, j: Int, into: Cells, i: Int): Int = {
    val here = from.isValid(lane, j)
    val there = into.isValid(lane, i)
    if (here && there) {
      val order = value.compare(from, j, into, i, lane)
      if (order != 0) order else value.compareBits(from, j, into, i, lane)
    } else java.lang.Boolean.compare(here, there)
  }
}

/** Order and copying of one lane, whole or floating. */
private[column] sealed trait Order {
  def zero(cells: Cells, lane: Int, i: Int): Unit
  def copy(into: Cells, i: Int, from: Cells, j: Int, lane: Int): Unit

  /** As SQL compares: -0.0 equals 0.0, NaN is greatest and equals itself. */
  def compare(a: Cells, i: Int, b: Cells, j: Int, lane: Int): Int

  /** A total order that agrees with `compare` and also tells SQL-equal values apart. */
  def compareBits(a: Cells, i: Int, b: Cells, j: Int, lane: Int): Int
}

private[column] object Order {

  def apply(kind: Kind): Order = if (kind.isInstanceOf[Kind.Whole]) Whole else Floating

  private object Whole extends Order {
    def zero(cells: Cells, lane: Int, i: Int): Unit = cells.longs(lane)(i) = 0L
    def copy(into: Cells, i: Int, from: Cells, j: Int, lane: Int): Unit = into.longs(lane)(i) =
      from.longs(lane)(j)
    def compare(a: Cells, i: Int, b: Cells, j: Int, lane: Int): Int =
      java.lang.Long.compare(a.longs(lane)(i), b.longs(lane)(j))
    def compareBits(a: Cells, i: Int, b: Cells, j: Int, lane: Int): Int = compare(a, i, b, j, lane)
  }

  private object Floating extends Order {
    def zero(cells: Cells, lane: Int, i: Int): Unit = cells.doubles(lane)(i) = 0.0
    def copy(into: Cells, i: Int, from: Cells, j: Int, lane: Int): Unit =
      into.doubles(lane)(i) = from.doubles(lane)(j)
    def compare(a: Cells, i: Int, b: Cells, j: Int, lane: Int): Int =
      // adding 0.0 turns -0.0 into 0.0 and changes nothing else
      JDouble.compare(a.doubles(lane)(i) + 0.0, b.doubles(lane)(j) + 0.0)
    def compareBits(a: Cells, i: Int, b: Cells, j: Int, lane: Int): Int =
      JDouble.compare(a.doubles(lane)(i), b.doubles(lane)(j))
  }
}
