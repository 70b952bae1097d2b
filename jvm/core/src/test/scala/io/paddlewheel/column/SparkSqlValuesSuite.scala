package io.paddlewheel.column

import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.column.Scalars.{Floatings, Wholes}

/** The corners of Spark SQL's aggregates, one by one. */
class SparkSqlValuesSuite extends AnyFunSuite {
  private val NaN = Double.NaN
  private val Infinity = Double.PositiveInfinity

  private def total[V](subject: Subject[V])(values: V*): V = {
    val schema = Schema(subject.column("it"))
    val cells = Cells(schema, values.size + 1)
    values.indices.foreach(at => subject.write(cells, 0, at, values(at)))
    schema.clear(cells, values.size)
    schema.fold(cells, values.size, cells, 0, values.size)
    subject.read(cells, 0, values.size)
  }

  for (kind <- Scalars.floatingKinds; nulls <- Seq(false, true)) {
    val doubles = Floatings(kind)
    val of = if (nulls) s"nullable ${kind.name}" else kind.name

    def min(values: Double*): Double =
      total(new Subject.Extremum(doubles, Merge.Min, nulls))(values.map(Option(_)): _*).get
    def max(values: Double*): Double =
      total(new Subject.Extremum(doubles, Merge.Max, nulls))(values.map(Option(_)): _*).get
    def sum(values: Double*): Double =
      total(new Subject.FloatingSums(doubles, nulls))(values.map(Option(_)): _*).get

    test(s"NaN is the greatest $of, and the least only where there is no other") {
      assert(max(1.0, NaN, Infinity).isNaN && max(NaN, 1.0).isNaN)
      assert(min(NaN, 1.0, NaN) == 1.0 && min(1.0, NaN) == 1.0 && min(NaN, Infinity) == Infinity)
      assert(min(NaN, NaN).isNaN && min(NaN).isNaN && max(NaN).isNaN)
    }

    test(s"infinities of $of") {
      assert(max(-Infinity) == -Infinity && max(-Infinity, -1.0) == -1.0)
      assert(min(Infinity) == Infinity && min(Infinity, 1.0, -Infinity) == -Infinity)
      assert(sum(Infinity, 1.0) == Infinity && sum(Infinity, -Infinity).isNaN && sum(NaN, 1.0).isNaN)
    }

    test(s"-0.0 and 0.0 of $of are equal, and the order they came in does not show") {
      val bits = java.lang.Double.doubleToRawLongBits _
      assert(bits(min(0.0, -0.0)) == bits(min(-0.0, 0.0)) && bits(max(0.0, -0.0)) == bits(max(-0.0, 0.0)))
      assert(sum(-0.0, -0.0) == 0.0)
    }
  }

  test("a null is ignored, and nothing but nulls is null") {
    val sums = new Subject.Whole(Wholes(Kind.Long), Merge.Sum, nulls = true)
    assert(total(sums)(None, Some(0L), None).contains(0L))
    assert(total(sums)(None, None).isEmpty)
    val least = new Subject.Extremum(Floatings(Kind.Double), Merge.Min, nulls = true)
    assert(total(least)(None, Some(3.0), None).contains(3.0))
    assert(total(least)(None, Some(NaN)).exists(_.isNaN))
    assert(total(least)(None).isEmpty)
    val most = new Subject.Extremum(Floatings(Kind.Double), Merge.Max, nulls = true)
    assert(total(most)(Some(-Infinity), None).contains(-Infinity))
    assert(total(most)(None, None).isEmpty)
  }

  test("zero is not null, in every kind that adds") {
    for (kind <- Scalars.wholeKinds if kind != Kind.Boolean) {
      val sums = new Subject.Whole(Wholes(kind), Merge.Sum, nulls = true)
      assert(total(sums)(Some(1L), Some(-1L), None).contains(0L), kind)
    }
  }

  test("how often the greatest came, where the greatest is NaN or zero") {
    val most = new Subject.ExtremeCounts(Floatings(Kind.Double), Extreme.Greatest)
    val (nan, twice) = total(most)(Some((NaN, 1L)), Some((Infinity, 4L)), Some((NaN, 1L))).get
    assert(nan.isNaN && twice == 2)
    assert(total(most)(Some((-0.0, 1L)), Some((0.0, 2L)), Some((-1.0, 5L))).exists(_._2 == 3))
    val least = new Subject.ExtremeCounts(Floatings(Kind.Double), Extreme.Least)
    assert(total(least)(Some((NaN, 1L)), Some((Infinity, 4L))).contains((Infinity, 4L)))
  }

  test("max_by ignores rows whose order is null, whatever their value") {
    val schema = Schema(Column.Arg("it", Kind.Long, Kind.Long, Extreme.Greatest))
    val cells = Cells(schema, 2)
    (0 to 1).foreach(schema.clear(cells, _))
    cells.longs(0)(1) = 7L
    cells.setValid(0, 1, true)
    schema.merge(cells, 0, cells, 1)
    assert(!cells.isValid(0, 0) && !cells.isValid(1, 0))
  }

  test("max_by and min_by break ties as they are told, null being least") {
    def arg(extreme: Extreme, tieBreak: Extreme)(rows: (Option[Long], Double)*): Option[Long] =
      total(new Subject.Args(Wholes(Kind.Long), Floatings(Kind.Double), extreme, tieBreak))(
        rows.map(Option(_)): _*
      ).get._1
    import Extreme.{Greatest, Least}
    assert(arg(Greatest, Least)((Some(5L), 1.0), (Some(3L), 2.0), (Some(4L), 2.0)).contains(3L))
    assert(arg(Greatest, Greatest)((Some(5L), 1.0), (Some(3L), 2.0), (Some(4L), 2.0)).contains(4L))
    assert(arg(Least, Least)((Some(5L), -0.0), (Some(3L), 0.0), (Some(1L), NaN)).contains(3L))
    assert(arg(Least, Greatest)((Some(5L), -0.0), (Some(3L), 0.0), (Some(1L), NaN)).contains(5L))
    assert(arg(Greatest, Least)((Some(5L), NaN), (Some(3L), Infinity)).contains(5L))
    assert(arg(Greatest, Least)((Some(5L), 1.0), (None, 1.0)).isEmpty)
    assert(arg(Greatest, Greatest)((None, 1.0), (Some(5L), 1.0)).contains(5L))
  }

  test("moments of one large value merge into nothing unchanged") {
    val large = Subject.Population(3.0, 1e200, 0.1)
    assert(total(Subject.Moments)(large) == large)
    assert(total(Subject.Moments)(Subject.Population(0, 0, 0), large) == large)
    val third = Subject.Population(3.0, 0.1, 1.0 / 3)
    assert(total(Subject.Moments)(third) == third)
  }

  test("moments equal those of the whole population") {
    val found = total(Subject.Moments)(
      Subject.Population(1, 2, 0),
      Subject.Population(2, 5, 2),
      Subject.Population(0, 0, 0),
      Subject.Population(1, 8, 0)
    )
    assert(found == Subject.Population(4, 5, 20))
  }
}
