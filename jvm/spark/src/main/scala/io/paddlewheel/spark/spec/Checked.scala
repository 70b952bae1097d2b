package io.paddlewheel.spark.spec

import io.paddlewheel.Refusal

/** What a check finds: the thing asked for, or all that is wrong with it. */
private[spec] object Checked {

  type Checked[A] = Either[Seq[Fault], A]

  def fault(field: String, condition: String, message: String): Left[Seq[Fault], Nothing] =
    Left(Seq(Fault(field, condition, message)))

  /** What the engine makes of it; its refusal is a fault of the field. */
  def engine[A](field: String)(made: => A): Checked[A] =
    try Right(made)
    catch { case refusal: Refusal => Left(Seq(Fault(field, refusal))) }

  def both[A, B](a: Checked[A], b: Checked[B]): Checked[(A, B)] = (a, b) match {
    case (Right(left), Right(right)) => Right((left, right))
    case _ => Left(faults(a) ++ faults(b))
  }

  def all[A](parts: Seq[Checked[A]]): Checked[Seq[A]] = {
    val found = parts.flatMap(faults)
    if (found.isEmpty) Right(parts.collect { case Right(part) => part }) else Left(found)
  }

  def faults(part: Checked[Any]): Seq[Fault] = part.left.getOrElse(Seq.empty)
}
