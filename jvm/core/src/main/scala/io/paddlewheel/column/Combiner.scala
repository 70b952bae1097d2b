package io.paddlewheel.column

/** A merge supplied from outside, over values the engine does not look into: sketches, sets, strings, wide decimals.
  *
  * The implementer MUST make `merge` associative and commutative, and MUST return equal bytes for equal states: a
  * wheel's bytes may not depend on the order of merges. `merge` may reuse `into` and must not keep or change `from`.
  * The engine never passes null and keeps no other reference to a value it has handed to `merge` as `into`.
  */
trait Combiner {
  def name: String
  def merge(into: AnyRef, from: AnyRef): AnyRef
  def copy(value: AnyRef): AnyRef
  def toBytes(value: AnyRef): Array[Byte]
  def fromBytes(bytes: Array[Byte]): AnyRef

  /** True when merging a value with itself changes nothing, as for sets and for min and max. */
  def idempotent: Boolean = false
}
