package io.paddlewheel.spark.spec

import org.apache.spark.sql.catalyst.expressions.{Expression, PythonUDAF, PythonUDF}
import org.apache.spark.sql.types.DoubleType
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.spark.SparkSessions

class AggregateCheckSuite extends AnyFunSuite with SparkSessions {

  private lazy val check = new AggregateCheck(rides, "started_at")

  private def assertRefused(condition: String, says: String*)(sql: String): Unit =
    check("aggregates.x", sql) match {
      case Left(Seq(fault)) =>
        assert(fault.field == "aggregates.x" && fault.condition == condition, s"$sql: $fault")
        says.foreach(text => assert(fault.message.contains(text), s"$sql: $fault"))
        assert(!fault.message.contains("SQLSTATE") && !fault.message.contains("\n"), fault)
      case other => fail(s"$sql: $other")
    }

  test("whatever has a mergeable buffer is allowed") {
    Seq(
      "count(*)",
      "COUNT(*) AS n",
      "exp(avg(ln(duration)))",
      "sum(duration) / count(*)",
      "sum(fare) FILTER (WHERE rider = 'ann')",
      "percentile_approx(duration, 0.95)",
      "percentile_cont(0.5) WITHIN GROUP (ORDER BY duration)",
      "approx_count_distinct(rider)",
      "collect_list(rider)",
      "collect_set(place.city)",
      "array_agg(rider)",
      "mode(rider)",
      "max_by(rider, started_at)",
      "stddev(fare)",
      "corr(fare, duration)",
      "count_if(fare > 1)",
      "bool_and(fare > 1)",
      "listagg(rider, ',') WITHIN GROUP (ORDER BY rider)",
      "hll_sketch_estimate(hll_sketch_agg(rider))",
      "transform(collect_list(duration), d -> d + 1)",
      "histogram_numeric(duration, 5)",
      // What refusals advise.
      "approx_count_distinct(struct(rider, station))",
      "min_by(fare, started_at)",
      "array_max(collect_set(duration))"
    ).foreach(sql => assert(check("aggregates.x", sql).isRight, s"$sql: ${check("aggregates.x", sql)}"))
  }

  test("it does not matter how the DataFrame was made") {
    rides.createOrReplaceTempView("rides")
    Seq(
      "WITH r AS (SELECT * FROM rides) SELECT * FROM r",
      "WITH r AS (SELECT *, rand() AS luck FROM rides) SELECT a.* FROM r a JOIN r b ON a.luck = b.luck",
      "SELECT *, row_number() OVER (PARTITION BY station ORDER BY fare) AS n FROM rides",
      "SELECT *, explode(array(1, 2)) AS n FROM rides WHERE fare > (SELECT avg(fare) FROM rides)",
      "SELECT DISTINCT station, duration FROM rides"
    ).foreach { sql =>
      val found = new AggregateCheck(spark.sql(sql), "started_at")("aggregates.x", "sum(duration)")
      assert(found.isRight, s"$sql: $found")
    }
    val cached = rides.select("duration").cache()
    try assert(new AggregateCheck(cached, "started_at")("aggregates.x", "sum(duration)").isRight)
    finally cached.unpersist()
  }

  test("what Spark cannot read or resolve is refused in its words") {
    assertRefused("PARSE_SYNTAX_ERROR", "'sum('")("sum(")
    assertRefused("UNRESOLVED_COLUMN.WITH_SUGGESTION", "duration")("sum(duratoin)")
    assertRefused("UNRESOLVED_ROUTINE", "summ")("summ(duration)")
    assertRefused("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE")("sum(tags)")
    assertRefused("NESTED_AGGREGATE_FUNCTION", "once")("sum(count(*))")
  }

  test("what is not an aggregate is refused") {
    Seq("duration", "duration + count(*)", "station", "1 + 1", "upper(rider)")
      .foreach(assertRefused("NOT_AN_AGGREGATE", "aggregate function"))
  }

  test("window functions, subqueries and what makes rows are refused") {
    assertRefused("AGGREGATE_OVER_WINDOW", "OVER")("count(*) OVER ()")
    assertRefused("AGGREGATE_OVER_WINDOW", "OVER")("sum(duration) OVER (PARTITION BY station)")
    assertRefused("WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE", "instead")("lag(fare)")
    assertRefused("AGGREGATE_WITH_SUBQUERY", "Join")("sum(duration) + (SELECT 1)")
    assertRefused("AGGREGATE_WITH_SUBQUERY", "Join")("count_if(duration IN (SELECT 1))")
    assertRefused("AGGREGATE_MAKES_ROWS", "before")("explode(collect_list(rider))")
    assertRefused("AGGREGATE_MAKES_ROWS", "before")("max(window(started_at, '1 hour').start)")
  }

  test("DISTINCT is refused with the sketch that counts") {
    assertRefused("AGGREGATE_DISTINCT", "approx_count_distinct(rider)")("count(DISTINCT rider)")
    assertRefused("AGGREGATE_DISTINCT", "approx_count_distinct(struct(rider, station))")(
      "count(DISTINCT rider, station)"
    )
    assertRefused("AGGREGATE_DISTINCT", "collect_set(duration)")("sum(DISTINCT duration)")
  }

  test("what depends on the order of rows is refused with what does not") {
    Seq("first(fare)", "first_value(fare)", "any_value(fare)", "first(fare, true)")
      .foreach(assertRefused("AGGREGATE_DEPENDS_ON_ORDER", "min_by(fare, started_at)"))
    Seq("last(fare)", "last_value(fare)", "1 + last(fare)")
      .foreach(assertRefused("AGGREGATE_DEPENDS_ON_ORDER", "max_by(fare, started_at)"))
    Seq("listagg(rider)", "string_agg(rider, ',')")
      .foreach(assertRefused("AGGREGATE_DEPENDS_ON_ORDER", "WITHIN GROUP (ORDER BY rider)"))
  }

  test("what differs from one evaluation to the next is refused") {
    assertRefused("AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION", "column")("sum(rand())")
    assertRefused("AGGREGATE_NOT_DETERMINISTIC", "rand")("count(*) + rand()")
    assertRefused("AGGREGATE_NOT_DETERMINISTIC", "uuid")("concat(max(rider), uuid())")
    Seq("max(now() - started_at)", "max(current_date())", "count(*) + unix_timestamp()")
      .foreach(assertRefused("AGGREGATE_OF_NOW", "literal"))
  }

  test("functions written in Python are refused") {
    register("py_mean")(
      PythonUDAF("py_mean", null, DoubleType, _, udfDeterministic = true).toAggregateExpression()
    )
    val batched = 100 // SQL_BATCHED_UDF, which only Spark may name
    register("py_half")(
      PythonUDF("py_half", null, DoubleType, _, batched, udfDeterministic = true)
    )
    assertRefused("AGGREGATE_IN_PYTHON", "py_mean", "aggregates of SQL")("py_mean(fare)")
    assertRefused("AGGREGATE_IN_PYTHON", "py_half", "before")("sum(py_half(fare))")
  }

  test("several faults of one expression are all named") {
    val found =
      Checked.faults(check("aggregates.x", "count(DISTINCT rider) + first(duration) + rand()"))
    assert(
      found.map(_.condition) ==
        Seq("AGGREGATE_DISTINCT", "AGGREGATE_DEPENDS_ON_ORDER", "AGGREGATE_NOT_DETERMINISTIC")
    )
  }

  private def register(name: String)(function: Seq[Expression] => Expression): Unit =
    rides.queryExecution.sparkSession.sessionState.functionRegistry
      .createOrReplaceTempFunction(name, function, "python_udf")
}
