package io.paddlewheel

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.column._
import io.paddlewheel.query.Reader
import io.paddlewheel.time.{Instants, Levels}
import io.paddlewheel.time.Micros.Second
import io.paddlewheel.wheel.Wheel
import io.paddlewheel.window.{Window, WindowSet}

class ExampleSuite extends AnyFunSuite {

  test("the example of the README prints the rides of each window and of a range") {
    val printed = new java.io.ByteArrayOutputStream
    Console.withOut(printed)(example())
    val lines = printed.toString.linesIterator.toVector
    assert(lines.count(_.endsWith(" rides")) == 360, "windows that end in the hour")
    assert(lines.contains("[0, 60000000) 60 rides"))
    assert(lines.exists(_.startsWith("chosen: ")))
    assert(lines.last == "1235")
  }

  test("the README has the example as it is here") {
    val readme = Files.readAllLines(root.resolve("README.md")).asScala.toVector
    val shown =
      readme.slice(readme.indexOf("```scala") + 1, readme.indexOf("```", readme.indexOf("```scala") + 1))
    val source = Files.readAllLines(
      root.resolve("jvm/core/src/test/scala/io/paddlewheel/ExampleSuite.scala")
    )
    val lines = source.asScala.toVector
    val begin = lines.indexWhere(_.startsWith("  private def example")) + 1
    val run = lines.slice(begin, lines.indexWhere(_ == "  }", begin)).map(_.stripPrefix("    "))
    assert(shown == run)
  }

  private def root: Path =
    Iterator
      .iterate(Paths.get("").toAbsolutePath)(_.getParent)
      .find(p => Files.exists(p.resolve("VERSION")))
      .get

  private def example(): Unit = {
    val levels = Levels(Seq("1 second" -> Some("2 days"), "1 minute" -> Some("30 days"), "1 hour" -> None))
    val schema = Schema(
      Column.Primitive("rides", Kind.Long, Merge.Sum),
      Column.Primitive("longest", Kind.Double, Merge.Max)
    )
    val wheel = new Wheel(levels, schema)
    val windows =
      new WindowSet(levels, schema, Vector("last minute" -> Window.Sliding(60 * Second, 10 * Second)))
        .of(wheel, Instants.Min)

    val ride = Cells(schema, 1)
    (0 until 3600).foreach { second =>
      ride.longs(0)(0) = 1
      ride.doubles(1)(0) = second % 7
      wheel.insert(second * Second, ride, 0)
    }
    wheel.advance(3600 * Second)
    windows.advance((_, start, end, value) => println(s"[$start, $end) ${value.longs(0)(0)} rides"))

    val reader = new Reader(levels, schema, Vector(wheel))
    val asked = TimeRange(15 * Second, 1250 * Second)
    println(reader.explain(asked))
    println(reader.range(asked).cells.longs(0)(0))
  }
}
