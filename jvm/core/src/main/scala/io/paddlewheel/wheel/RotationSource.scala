package io.paddlewheel.wheel

/** Where a wheel that keeps only part of itself in memory finds the rest.
  *
  * The implementer MUST return what was last written for that rotation, as [[PackedRotation]] bytes, or null if nothing
  * was. A wheel asks before it makes a rotation that may have been written earlier, and never for one it holds.
  */
trait RotationSource {
  def fetch(level: Int, rotation: Long): Array[Byte]
}
