package io.paddlewheel.spark.operator

import org.apache.spark.sql.streaming.OutputMode

import io.paddlewheel.spark.WheelException
import io.paddlewheel.spark.state.WheelStateStoreProvider
import io.paddlewheel.window.{Emission, Window}

/** What only the running query can tell is wrong: its output mode and its state store provider. */
private[operator] object OperatorCheck {

  /** Whether windows are given out while they are open. */
  def updates(blueprint: Blueprint, mode: Option[OutputMode], provider: String): Boolean = {
    if (provider != classOf[WheelStateStoreProvider].getName)
      throw new WheelException(
        "WHEEL_PROVIDER_NOT_SET",
        "42K0E",
        s"Wheels need the state store provider ${classOf[WheelStateStoreProvider].getName}, but " +
          s"spark.sql.streaming.stateStore.providerClass is $provider. Call paddlewheel.configure on the session's builder, " +
          "or set it before the query starts."
      )
    val append = OutputMode.Append()
    val update = OutputMode.Update()
    val complete = OutputMode.Complete()
    mode match {
      case Some(`append`) => false
      case Some(`update`) =>
        val sessions = blueprint.windows.collect { case (name, _: Window.Session) => name }
        if (sessions.nonEmpty)
          throw new WheelException(
            "WHEEL_OUTPUT_MODE_UNSUPPORTED",
            "42KDE",
            s"Update mode is not for session windows (${sessions.mkString(", ")}): the bounds of a session move, so a row " +
              "that was given out could not be told from its successor. Use append mode."
          )
        if (blueprint.emission == Emission.Changed)
          throw new WheelException(
            "WHEEL_OUTPUT_MODE_UNSUPPORTED",
            "42KDE",
            "Update mode gives out a window whenever rows were merged into it, so it has no emission 'changed'. " +
              "Use emission 'every' or 'latest', or append mode."
          )
        true
      case Some(`complete`) =>
        throw new WheelException(
          "WHEEL_OUTPUT_MODE_UNSUPPORTED",
          "42KDE",
          "Complete mode would give out every window ever seen in every batch. Wheels keep that history, but do not emit it: " +
            "use append or update mode, and ask the state for the rest."
        )
      case other => throw new IllegalStateException(s"Unknown output mode $other")
    }
  }
}
