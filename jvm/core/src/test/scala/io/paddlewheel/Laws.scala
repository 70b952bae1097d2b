package io.paddlewheel

import org.scalacheck.{Gen, Prop}
import org.scalacheck.Prop.{forAllNoShrink, propBoolean}

/** The laws of merging, for any values. `same` says how equal two results have to be. */
object Laws {

  def associative[A](values: Gen[A], same: (A, A) => Boolean)(merge: (A, A) => A): Prop =
    forAllNoShrink(values, values, values) { (a, b, c) =>
      holds("associative", same)(merge(merge(a, b), c), merge(a, merge(b, c)))
    }

  def commutative[A](values: Gen[A], same: (A, A) => Boolean)(merge: (A, A) => A): Prop =
    forAllNoShrink(values, values)((a, b) => holds("commutative", same)(merge(a, b), merge(b, a)))

  def neutral[A](values: Gen[A], empty: A, same: (A, A) => Boolean)(merge: (A, A) => A): Prop =
    forAllNoShrink(values) { a =>
      holds("neutral on the left", same)(merge(empty, a), a) &&
      holds("neutral on the right", same)(merge(a, empty), a)
    }

  def idempotent[A](values: Gen[A], same: (A, A) => Boolean)(merge: (A, A) => A): Prop =
    forAllNoShrink(values)(a => holds("idempotent", same)(merge(a, a), a))

  def inverse[A](values: Gen[A], same: (A, A) => Boolean)(merge: (A, A) => A)(subtract: (A, A) => A): Prop =
    forAllNoShrink(values, values)((a, b) => holds("inverse", same)(subtract(merge(a, b), b), a))

  def holds[A](law: String, same: (A, A) => Boolean)(found: A, expected: A): Prop =
    same(found, expected) :| s"$law: $found instead of $expected"
}
