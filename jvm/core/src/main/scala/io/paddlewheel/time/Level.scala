package io.paddlewheel.time

/** A granularity and how long its slots are kept; `None` is for ever. */
final case class Level(granularity: Granularity, retention: Option[Span])
