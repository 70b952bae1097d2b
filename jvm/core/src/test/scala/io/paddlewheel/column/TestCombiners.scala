package io.paddlewheel.column

import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.UTF_8
import java.util.{Arrays, TreeSet}

import scala.jdk.CollectionConverters._

/** Sets of strings. `merge` changes `into`, so a value held in two places shows. */
object StringSets extends Combiner {
  def name: String = "set of strings"
  override def idempotent: Boolean = true

  def of(strings: Iterable[String]): AnyRef = new TreeSet[String](strings.asJavaCollection)
  def strings(value: AnyRef): Set[String] = value.asInstanceOf[TreeSet[String]].asScala.toSet

  def merge(into: AnyRef, from: AnyRef): AnyRef = {
    into.asInstanceOf[TreeSet[String]].addAll(from.asInstanceOf[TreeSet[String]])
    into
  }
  def copy(value: AnyRef): AnyRef = new TreeSet[String](value.asInstanceOf[TreeSet[String]])
  def toBytes(value: AnyRef): Array[Byte] =
    value.asInstanceOf[TreeSet[String]].asScala.mkString("\n").getBytes(UTF_8)
  def fromBytes(bytes: Array[Byte]): AnyRef = of(new String(bytes, UTF_8).split("\n", -1).toSeq)
}

/** The `k` greatest numbers, greatest first, repeated as often as they came. Changes `into` too. */
final class TopK(k: Int) extends Combiner {
  def name: String = s"top $k"

  def of(numbers: Seq[Long]): AnyRef = new TopK.State(numbers.sorted.reverse.take(k).toArray)
  def numbers(value: AnyRef): Seq[Long] = value.asInstanceOf[TopK.State].descending.toSeq

  def merge(into: AnyRef, from: AnyRef): AnyRef = {
    into.asInstanceOf[TopK.State].descending = (numbers(into) ++ numbers(from)).sorted.reverse.take(k).toArray
    into
  }
  def copy(value: AnyRef): AnyRef = new TopK.State(value.asInstanceOf[TopK.State].descending.clone)
  def toBytes(value: AnyRef): Array[Byte] = {
    val state = value.asInstanceOf[TopK.State].descending
    val bytes = ByteBuffer.allocate(8 * state.length)
    bytes.asLongBuffer.put(state)
    bytes.array
  }
  def fromBytes(bytes: Array[Byte]): AnyRef = {
    val state = new Array[Long](bytes.length / 8)
    ByteBuffer.wrap(bytes).asLongBuffer.get(state)
    new TopK.State(Arrays.copyOf(state, math.min(k, state.length)))
  }
}

object TopK {
  private final class State(var descending: Array[Long])
}
