package io.paddlewheel.spark.spec

import org.apache.spark.sql.Column
import org.apache.spark.sql.catalyst.expressions.Attribute

import io.paddlewheel.time.{Levels, Span}
import io.paddlewheel.window.{Emission, Window}

/** A spec without faults, read against a DataFrame: everything is what it names.
  *
  * @param keys
  *   the DataFrame's own attributes, in the order of the spec
  * @param aggregates
  *   name and expression, the expression without an alias
  */
final case class ResolvedSpec(
    spec: WheelSpec,
    levels: Levels,
    windows: IndexedSeq[(String, Window)],
    allowedLateness: Span,
    emission: Emission,
    keys: Seq[Attribute],
    time: Attribute,
    aggregates: Seq[(String, Column)]
)
