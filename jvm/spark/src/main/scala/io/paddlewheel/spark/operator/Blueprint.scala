package io.paddlewheel.spark.operator

import org.apache.spark.sql.catalyst.expressions.{Attribute, NamedExpression}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction

import io.paddlewheel.spark.WheelException
import io.paddlewheel.spark.spec.WheelSpec
import io.paddlewheel.time.{Instants, Levels, Span}
import io.paddlewheel.window.{Emission, Window}

/** Everything an operator needs to know to turn wheels: a spec, and what Spark made of it.
  *
  * @param keys
  *   the grouping columns of the rows that come in, which have the instant after them and the buffers after that
  * @param results
  *   the aggregates of the output, over [[keys]] and the results of the functions
  * @param output
  *   keys, the name of the window if there are several, the window, the aggregates
  */
final case class Blueprint(
    spec: WheelSpec,
    levels: Levels,
    windows: IndexedSeq[(String, Window)],
    lateness: Span,
    emission: Emission,
    keys: Seq[Attribute],
    functions: IndexedSeq[AggregateFunction],
    functionResults: IndexedSeq[Attribute],
    results: Seq[NamedExpression],
    output: Seq[Attribute]
) {

  /** Refuses a row from a time that the levels have no exact slots for. */
  def checkInstant(instant: Long): Unit =
    if (instant < levels.earliest || instant > Instants.Max)
      throw new WheelException(
        "WHEEL_TIME_OUT_OF_RANGE",
        "22008",
        s"A row has the time ${Instants.show(instant)}, but the levels of the spec have slots from " +
          s"${Instants.show(levels.earliest)} to ${Instants.show(Instants.Max)}. Filter such rows before they are aggregated."
      )

  def namesWindows: Boolean = windows.size > 1

  /** A number for all that the bytes of the state depend on. */
  def fingerprint: Long = {
    val fixed = Seq[Seq[Any]](
      spec.keys,
      keys.map(_.dataType.catalogString),
      spec.levels.map(_._1),
      Seq(spec.timeZone),
      spec.aggregates,
      functions.map(f => f.prettyName + f.aggBufferAttributes.map(_.dataType.catalogString))
    ).toString
    val bytes = java.security.MessageDigest.getInstance("SHA-256").digest(fixed.getBytes("UTF-8"))
    java.nio.ByteBuffer.wrap(bytes).getLong
  }
}
