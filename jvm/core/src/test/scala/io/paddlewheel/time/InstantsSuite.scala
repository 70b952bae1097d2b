package io.paddlewheel.time

import org.scalatest.funsuite.AnyFunSuite

class InstantsSuite extends AnyFunSuite {

  test("every Long has a readable text") {
    assert(Instants.show(0) == "1970-01-01T00:00:00Z")
    assert(Instants.show(-1) == "1969-12-31T23:59:59.999999Z")
    assert(Instants.show(Instants.Max).startsWith("+148108-"))
    assert(Instants.show(Instants.Min).startsWith("-144169-"))
    for (t <- Seq(Long.MinValue, Long.MaxValue)) assert(Instants.show(t).endsWith("Z"))
  }
}
