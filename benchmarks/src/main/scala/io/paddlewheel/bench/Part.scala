package io.paddlewheel.bench

/** One subject of the benchmarks. */
trait Part {

  /** As `make bench PART=` takes it. */
  def name: String
  def title: String

  /** Measures both sides in turn. MUST throw [[PartFailed]] when their answers differ. */
  def measure(peer: Peer): Seq[Figure]

  /** The two sides did the same work. */
  protected final def same(what: String, ours: Any, peers: Any): Unit =
    if (ours != peers)
      throw new PartFailed(s"$name, $what: we have $ours, the peer has $peers. The two did not do the same.")
}

final class PartFailed(message: String) extends RuntimeException(message)
