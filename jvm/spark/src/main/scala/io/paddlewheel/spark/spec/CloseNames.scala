package io.paddlewheel.spark.spec

import java.util.Locale

import org.apache.commons.text.similarity.LevenshteinDistance

/** What someone may have meant by a name that is not known. */
private[spec] object CloseNames {

  /** The remedy: the names that differ by a slip or two, or else what there is. */
  def advice(name: String, known: Seq[String]): String = {
    val ranked = known.distinct.sortBy(distance(name, _))
    val close = ranked.filter(distance(name, _) <= math.max(2, name.length / 3)).take(3)
    if (ranked.isEmpty) "There are none to choose from."
    else if (close.nonEmpty) s"Did you mean ${quoted(close, " or ")}?"
    else if (ranked.size > Most)
      s"Use one of the ${ranked.size} there are, such as ${quoted(known.take(Most), ", ")}."
    else s"Use one of ${quoted(known, ", ")}."
  }

  private val Most = 8

  private def quoted(names: Seq[String], separator: String): String =
    names.map(name => s"'$name'").mkString(separator)

  private def distance(a: String, b: String): Int =
    LevenshteinDistance.getDefaultInstance.apply(a.toLowerCase(Locale.ROOT), b.toLowerCase(Locale.ROOT)).toInt
}
