package io.paddlewheel.spark.spec

import org.scalacheck.Gen

/** Specs to start from, and random ones. */
object Specs {

  val rides: WheelSpec = WheelSpec(
    keys = Seq("station"),
    time = "started_at",
    levels = Seq("1 second" -> Some("2 days"), "1 minute" -> Some("30 days"), "1 hour" -> None),
    aggregates = Seq("rides" -> "count(*)", "mean" -> "avg(duration)"),
    windows =
      Seq("1h" -> SpecWindow.Sliding("1 hour", "1 second"), "visit" -> SpecWindow.Session("30 minutes"))
  )

  /** With signs that JSON escapes, and names that are fields of a spec. */
  private val texts: Gen[String] = Gen.oneOf(
    Gen.alphaNumStr,
    Gen.asciiPrintableStr,
    Gen.stringOf(Gen.oneOf('"', '\\', '\n', '\u0000', 'å', '中', '\u2028', '{', ' ')),
    Gen.oneOf("kind", "version", "null", "1 second", "count(*)")
  )

  private def named[A](value: Gen[A]): Gen[Seq[(String, A)]] =
    Gen.listOf(Gen.zip(texts, value)).map(_.distinctBy(_._1))

  private val windows: Gen[SpecWindow] = Gen.oneOf(
    texts.map(SpecWindow.Tumbling(_)),
    Gen.zip(texts, texts).map { case (range, slide) => SpecWindow.Sliding(range, slide) },
    texts.map(SpecWindow.Session(_)),
    Gen.zip(texts, texts).map { case (size, step) => SpecWindow.Cumulative(size, step) }
  )

  /** Anything that has the shape of a spec; nearly none has a meaning. */
  val random: Gen[WheelSpec] = for {
    keys <- Gen.listOf(texts)
    time <- texts
    levels <- named(Gen.option(texts))
    aggregates <- named(texts)
    windows <- named(windows)
    lateness <- texts
    zone <- texts
    emission <- texts
  } yield WheelSpec(keys, time, levels, aggregates, windows, lateness, zone, emission)
}
