package io.paddlewheel

/** What the engine refuses to do, and why.
  *
  * `condition` is a stable name for programs; the message is for people and always ends with the remedy.
  */
class Refusal(val condition: String, message: String) extends RuntimeException(s"[$condition] $message")
