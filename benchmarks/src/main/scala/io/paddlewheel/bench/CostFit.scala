package io.paddlewheel.bench

import java.nio.file.{Files, Path, Paths}

import io.paddlewheel.TimeRange
import io.paddlewheel.column.{Cells, Column, Combiner, Extreme, Kind, Merge, Schema}
import io.paddlewheel.plan.{Costs, Horizon, Plan, Planner}
import io.paddlewheel.time.Micros
import io.paddlewheel.wheel.Wheel

/** Fits the planner's constants to this machine, and asks how good the plans are that come of them.
  *
  * Spans of some lengths are folded over wheels of each kind of column; what a span costs by itself and what it costs
  * per slot are the two coefficients of a straight line through the times.
  */
object CostFit extends Part {
  def name: String = "costs"
  def title: String = "The planner's constants, and its plans"

  private val Properties =
    Paths.get("jvm", "core", "src", "main", "resources", "io", "paddlewheel", "plan", "costs.properties")

  private val Days = 2

  def measure(peer: Peer): Seq[Figure] = {
    val costs = fit()
    write(Properties, costs)
    val constants = named(costs).map { case (name, ns) => Figure(name, ns, None, "ns") }
    constants ++ samples.flatMap { case (kind, columns) =>
      Regret.figures(kind, wheelOf(columns.head), costs)
    }
  }

  /** Columns by the constant they are charged with. */
  private val samples: Seq[(String, Seq[Column])] = Seq(
    "whole" -> Seq(
      Column.Primitive("max", Kind.Long, Merge.Max),
      Column.Primitive("or", Kind.Long, Merge.Or)
    ),
    "floating" -> Seq(
      Column.Primitive("sum", Kind.Double, Merge.Sum),
      Column.Primitive("min", Kind.Double, Merge.Min)
    ),
    "group" -> Seq(
      Column.Moments("moments"),
      Column.ExtremeCount("most", Kind.Long, Extreme.Greatest),
      Column.Arg("latest", Kind.Long, Kind.Double, Extreme.Greatest)
    ),
    "combined" -> Seq(Column.Combined("text", GreatestBytes))
  )

  private def fit(): Costs = {
    // Once for the compiler, which meets every kind of column as it would in a long-running process, once for the fit.
    fitOnce()
    fitOnce()
  }

  private def fitOnce(): Costs = {
    val sums = Seq(1, 2, 4, 8).map { columns =>
      val wheel = wheelOf((0 until columns).map(c => Column.Primitive(s"sum$c", Kind.Long, Merge.Sum)): _*)
      columns.toDouble -> time(new Spans(wheel, 500))
    }
    val (piece, difference) = line(sums)
    val perSlot = samples.map { case (kind, columns) =>
      kind -> columns.map { column =>
        val wheel = wheelOf(column)
        line(
          Seq(1, 8, 30, 60, 120, 250, 500).map(slots => slots.toDouble -> time(new Spans(wheel, slots)))
        )._2
      }
    }.toMap
    def mean(kind: String): Double = perSlot(kind).sum / perSlot(kind).size
    Costs(
      piece,
      difference,
      mean("whole"),
      mean("floating"),
      mean("group"),
      mean("combined"),
      time(new Landmarks(wheelOf(Column.Primitive("sum", Kind.Long, Merge.Sum))))
    )
  }

  /** Least squares: what there is at 0, and what each step adds. */
  private def line(points: Seq[(Double, Double)]): (Double, Double) = {
    val n = points.size
    val (x, y) = (points.map(_._1).sum / n, points.map(_._2).sum / n)
    val slope = points.map { case (a, b) => (a - x) * (b - y) }.sum / points.map { case (a, _) =>
      (a - x) * (a - x)
    }.sum
    (y - slope * x, slope)
  }

  private def wheelOf(columns: Column*): Wheel = {
    val schema = Schema(columns: _*)
    val wheel = new Wheel(SumWheel.levels, schema)
    val random = new SplitMix64(1)
    val one = Cells(schema, 1)
    (0 until Days * Workload.DaySeconds).foreach { second =>
      schema.lanes.indices.foreach { lane =>
        val value = 1 + random.below(1000)
        schema.lanes(lane).kind match {
          case _: Kind.Whole => one.longs(lane)(0) = value
          case _: Kind.Floating => one.doubles(lane)(0) = value + 0.5
          case Kind.Opaque => one.objects(lane)(0) = value.toString.getBytes
        }
        one.setValid(lane, 0, true)
      }
      wheel.insert(Workload.Begin + second * Micros.Second, one, 0)
      if (second % 60 == 59) wheel.advance(Workload.Begin + (second + 1) * Micros.Second)
    }
    wheel
  }

  /** Nanoseconds per question, of the quickest of several passes. */
  private[bench] def time(questioner: Questioner): Double =
    (0 until 15).map { _ =>
      val before = System.nanoTime()
      var q = 0
      while (q < questioner.count) {
        questioner.ask(q)
        q += 1
      }
      (System.nanoTime() - before).toDouble / questioner.count
    }.min

  private def named(costs: Costs): Seq[(String, Double)] =
    costs.productElementNames.zip(costs.productIterator.map(_.asInstanceOf[Double])).toSeq

  private def write(file: Path, costs: Costs): Unit = {
    val lines = named(costs).map { case (name, ns) => f"$name=$ns%.2f" }
    Files.writeString(
      file,
      ("# Nanoseconds, written by `make bench PART=costs`." +: lines).mkString("", "\n", "\n")
    )
    ()
  }

  /** Folds random spans of base slots. */
  private final class Spans(wheel: Wheel, slots: Int) extends Questioner {
    def count: Int = 2000
    private val levels = wheel.levels
    private val cells = Cells(wheel.schema, 1)
    private val random = new SplitMix64(5)
    private val begin = levels.base.slotOf(wheel.first)
    private val from = Array.fill(count)(begin + random.below(Days.toLong * Workload.DaySeconds - slots))

    def ask(q: Int): Long = {
      val until = from(q) + slots
      val fromRotation = levels.rotationOf(0, from(q))
      val untilRotation = levels.rotationOf(0, until)
      wheel.schema.clear(cells, 0)
      wheel.fold(
        cells,
        0,
        0,
        fromRotation,
        (from(q) - levels.firstSlot(0, fromRotation)).toInt,
        untilRotation,
        (until - levels.firstSlot(0, untilRotation)).toInt
      )
      1L
    }
  }

  private final class Landmarks(wheel: Wheel) extends Questioner {
    def count: Int = 2000
    private val cells = Cells(wheel.schema, 1)

    def ask(q: Int): Long = {
      wheel.landmark(cells, 0)
      1L
    }
  }
}

/** How much is lost by choosing plans with the fitted constants, and not by trying them all. */
private object Regret {
  private val Ranges = 150

  def figures(kind: String, wheel: Wheel, costs: Costs): Seq[Figure] = {
    val planner = new Planner(wheel.levels, wheel.schema, costs)
    val horizon = Horizon.of(wheel)
    val random = new SplitMix64(9)
    val seconds = (wheel.last - wheel.first) / Micros.Second
    val losses = Seq.fill(Ranges) {
      val (a, b) = (random.below(seconds), random.below(seconds))
      val start = wheel.first + math.min(a, b) * Micros.Second
      val found =
        planner.explain(TimeRange(start, wheel.first + (math.max(a, b) + 1) * Micros.Second), horizon)
      val chosen = CostFit.time(new Repeated(found.chosen, wheel))
      found.rejected.map(plan => CostFit.time(new Repeated(plan, wheel))).minOption.fold(1.0) { best =>
        chosen / math.min(chosen, best)
      }
    }
    Seq(
      Figure(
        s"$kind: plans within 20 % of the best tried",
        losses.count(_ <= 1.2) * 100.0 / Ranges,
        None,
        "%"
      ),
      Figure(s"$kind: mean time against the best tried", losses.sum / Ranges, None, "times")
    )
  }

  private final class Repeated(plan: Plan, wheel: Wheel) extends Questioner {
    def count: Int = 100
    private val cells = Cells(wheel.schema, 1)

    def ask(q: Int): Long = if (plan.run(wheel, cells, 0)) 1L else 0L
  }
}

/** The greater of two byte strings: about the least that a combiner can do. */
private object GreatestBytes extends Combiner {
  def name: String = "greatest"

  def merge(into: AnyRef, from: AnyRef): AnyRef = {
    val (a, b) = (into.asInstanceOf[Array[Byte]], from.asInstanceOf[Array[Byte]])
    if (java.util.Arrays.compare(a, b) >= 0) a else b.clone
  }

  def copy(value: AnyRef): AnyRef = value.asInstanceOf[Array[Byte]].clone
  def toBytes(value: AnyRef): Array[Byte] = value.asInstanceOf[Array[Byte]]
  def fromBytes(bytes: Array[Byte]): AnyRef = bytes
  override def idempotent: Boolean = true
}
