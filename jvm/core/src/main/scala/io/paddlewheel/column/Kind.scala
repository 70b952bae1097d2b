package io.paddlewheel.column

/** What the values of a lane are.
  *
  * In memory a lane is an array of `long`, of `double` or of objects, so that every kernel is written once for each
  * of the three; narrow kinds keep their own width in packed bytes.
  */
sealed abstract class Kind(val name: String)

object Kind {

  /** Whole numbers and booleans (0 and 1), held as `long`. */
  sealed abstract class Whole(name: String, val min: scala.Long, val max: scala.Long) extends Kind(name) {
    private val spareBits = java.lang.Long.numberOfLeadingZeros(max) - 1

    /** The value as this kind's own arithmetic leaves it after an overflow. */
    final def wrap(value: scala.Long): scala.Long = (value << spareBits) >> spareBits

    final def holds(value: scala.Long): scala.Boolean = value >= min && value <= max
  }

  /** Floating point, held as `double`. */
  sealed abstract class Floating(name: String) extends Kind(name)

  case object Boolean extends Whole("boolean", 0, 1)
  case object Byte extends Whole("byte", scala.Byte.MinValue, scala.Byte.MaxValue)
  case object Short extends Whole("short", scala.Short.MinValue, scala.Short.MaxValue)
  case object Int extends Whole("int", scala.Int.MinValue, scala.Int.MaxValue)
  case object Long extends Whole("long", scala.Long.MinValue, scala.Long.MaxValue)
  case object Float extends Floating("float")
  case object Double extends Floating("double")

  /** Values only a [[Combiner]] understands. */
  case object Opaque extends Kind("opaque")
}
