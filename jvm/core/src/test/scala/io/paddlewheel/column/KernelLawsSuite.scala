package io.paddlewheel.column

import org.scalacheck.{Gen, Prop}
import org.scalacheck.Prop.{forAllNoShrink, propBoolean}
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.{Checks, Laws}

class KernelLawsSuite extends AnyFunSuite with Checks {

  Subjects.all.foreach(subject => check(s"$subject", cases = 150)(new KernelLaws(subject).all))
}

/** Every law of one kind of column. */
private final class KernelLaws[V](subject: Subject[V]) {
  // A column in front, so that a kernel that forgets where its lanes begin is found out.
  private val schema = Schema(Column.Primitive("in front", Kind.Long, Merge.Sum), subject.column("it"))
  private val kernel = schema.kernels(1)

  /** One slot's value. */
  private final class One(val cells: Cells) {
    def value: V = subject.read(cells, 1, 0)
    override def toString: String = value.toString
  }

  def all: Prop = Prop.all(monoid ++ idempotent ++ inverse ++ sequences ++ running: _*)

  private def monoid: Seq[Prop] = Seq(
    forAllNoShrink(ones, ones) { (a, b) =>
      schema.same(a.cells, 0, copy(a).cells, 0) :| "a copy is the same" &&
      (sameBits(a, b) == subject.identical(a.value, b.value) || subject.rounds) :| s"$a and $b"
    },
    Laws.associative(ones, identical)(merge),
    Laws.commutative(ones, identical)(merge),
    Laws.neutral(ones, empty, identical)(merge)
  )

  private def idempotent: Seq[Prop] =
    if (kernel.idempotent) Seq(Laws.idempotent(ones, identical)(merge)) else Nil

  private def inverse: Seq[Prop] =
    if (schema.subtractable)
      Seq(Laws.inverse(ones, identical)(merge) { (a, b) =>
        val result = copy(a)
        schema.subtract(result.cells, 0, b.cells, 0)
        result
      })
    else Nil

  private def sequences: Seq[Prop] = Seq(
    forAllNoShrink(many) { values =>
      val cells = write(values)
      forAllNoShrink(spans(values.size)) { case (begin, end) =>
        val found = copy(empty)
        schema.fold(found.cells, 0, cells, begin, end)
        adds("fold", found, values.slice(begin, end))
      }
    },
    forAllNoShrink(many, subject.values) { (values, first) =>
      val found = new One(write(Seq(first)))
      schema.fold(found.cells, 0, write(values), 0, values.size)
      adds("fold onto a value", found, first +: values)
    },
    forAllNoShrink(many) { values =>
      val found = copy(empty)
      val cells = write(values)
      values.indices.foreach(schema.merge(found.cells, 0, cells, _))
      adds("merge", found, values) && (values.indices.forall { at =>
        subject.identical(subject.read(cells, 1, at), values(at))
      } :| "what is merged from stays as it was")
    }
  )

  private def running: Seq[Prop] = kernel match {
    case totals: Invertible =>
      Seq(
        forAllNoShrink(many, subject.values) { (values, added) =>
          forAllNoShrink(spans(values.size), Gen.choose(0, values.size - 1)) { case ((begin, end), at) =>
            val cells = write(values)
            totals.accumulate(cells, 0, at)
            totals.accumulate(cells, at, values.size)
            val before = spanOf(totals, cells, begin, end)
            totals.mergeRunning(cells, at, values.size, write(Seq(added)), 0)
            val merged = values.updated(at, subject.total(Seq(values(at), added)))
            val after = spanOf(totals, cells, begin, end)
            totals.differentiate(cells, begin, values.size)
            val plain = (begin until values.size).map(subject.read(cells, 1, _))
            adds("difference", before, values.slice(begin, end)) &&
            adds("difference after a merge", after, merged.slice(begin, end)) &&
            (plain.lazyZip(merged.drop(begin)).forall(subject.identical) :| "differentiate")
          }
        }
      )
    case _ => Nil
  }

  private def spanOf(totals: Invertible, cells: Cells, begin: Int, end: Int): One = {
    val found = copy(empty)
    if (begin < end) totals.difference(found.cells, 0, cells, begin, end)
    found
  }

  private def adds(what: String, found: One, values: Seq[V]): Prop =
    if (values.isEmpty) subject.identical(found.value, empty.value) :| s"$what of nothing: $found"
    else {
      val total = subject.total(values)
      subject.same(found.value, total) :| s"$what: $found instead of $total"
    }

  private def ones: Gen[One] = subject.values.map(value => new One(write(Seq(value))))

  /** Mostly a few, sometimes more than two words of validity. */
  private def many: Gen[Vector[V]] =
    Gen
      .frequency(9 -> Gen.choose(1, 8), 1 -> Gen.choose(60, 140))
      .flatMap(Gen.containerOfN[Vector, V](_, subject.values))

  private def spans(size: Int): Gen[(Int, Int)] =
    Gen.zip(Gen.choose(0, size), Gen.choose(0, size)).map { case (a, b) => (math.min(a, b), math.max(a, b)) }

  private def write(values: Seq[V]): Cells = {
    val cells = Cells(schema, values.size)
    values.indices.foreach(at => subject.write(cells, 1, at, values(at)))
    cells
  }

  private def empty: One = {
    val cells = Cells(schema, 1)
    schema.clear(cells, 0)
    new One(cells)
  }

  private def copy(one: One): One = {
    val cells = Cells(schema, 1)
    cells.set(0, one.cells, 0)
    new One(cells)
  }

  private def merge(a: One, b: One): One = {
    val result = copy(a)
    schema.merge(result.cells, 0, b.cells, 0)
    result
  }

  private def sameBits(a: One, b: One): Boolean = schema.same(a.cells, 0, b.cells, 0)

  private def identical(a: One, b: One): Boolean = subject.identical(a.value, b.value)
}
