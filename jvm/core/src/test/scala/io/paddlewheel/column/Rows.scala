package io.paddlewheel.column

import org.scalacheck.Gen

/** Slots of several columns, each value as its [[Subject]] has it. */
final class Rows(subjects: Vector[Subject[_]]) {
  type Row = Vector[Any]

  private val each = subjects.map(_.asInstanceOf[Subject[Any]])

  val schema: Schema = new Schema(each.indices.map(c => each(c).column(s"column $c")))

  val rows: Gen[Row] = Gen.sequence[Vector[Any], Any](each.map(_.values))

  def write(cells: Cells, at: Int, row: Row): Unit =
    each.indices.foreach(c => each(c).write(cells, c, at, row(c)))

  def read(cells: Cells, at: Int): Row = each.indices.map(c => each(c).read(cells, c, at)).toVector

  def cells(rows: Seq[Row]): Cells = {
    val cells = Cells(schema, rows.size)
    rows.indices.foreach(at => write(cells, at, rows(at)))
    cells
  }

  def total(rows: Seq[Row]): Row = each.indices.map(c => each(c).total(rows.map(_(c)))).toVector

  def same(a: Row, b: Row): Boolean = each.indices.forall(c => each(c).same(a(c), b(c)))
  def identical(a: Row, b: Row): Boolean = each.indices.forall(c => each(c).identical(a(c), b(c)))

  override def toString: String = subjects.mkString(", ")
}
