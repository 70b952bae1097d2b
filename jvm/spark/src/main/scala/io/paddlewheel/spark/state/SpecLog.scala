package io.paddlewheel.spark.state

import java.nio.charset.StandardCharsets.UTF_8
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

import scala.util.Try

import org.apache.hadoop.fs.{Path, PathFilter}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo

import io.paddlewheel.spark.spec.{SpecChange, SpecRefused, WheelSpec}

/** The specs of an operator, in its folder of the checkpoint: `_wheel/<batch>.json` is in force from that batch on, so
  * that readers need only the path.
  */
object SpecLog {
  private val Folder = "_wheel"

  /** Where Spark plans only to explain. */
  private val Nowhere = "<unknown>"

  /** Runs and operators whose spec was compared with what is stored, and recorded. Only the newest matter. */
  private val checked = new ConcurrentHashMap[(UUID, Long), java.lang.Boolean]

  /** Refuses a spec that does not fit what the operator has stored. */
  def check(info: StatefulOperatorStateInfo, spec: WheelSpec): Unit =
    if (info.checkpointLocation != Nowhere && !checked.containsKey(runOf(info)))
      // The spec in force before the batch that is about to run; none in the first.
      latest(folderOf(info), info.storeVersion - 1).foreach { found =>
        val faults = SpecChange.faults(found, spec)
        if (faults.nonEmpty) throw new SpecRefused(faults)
      }

  /** Stores a spec, once in each run, if it is not the one that is there: one of a run that did not get through this batch
    * is replaced.
    */
  def record(info: StatefulOperatorStateInfo, spec: WheelSpec): Unit =
    if (
      checked
        .putIfAbsent(runOf(info), true) == null && !latest(folderOf(info), info.storeVersion).contains(spec)
    ) {
      val folder = folderOf(info)
      val files = CheckpointFileManager.create(folder, hadoopConf)
      files.mkdirs(folder)
      val out = files.createAtomic(new Path(folder, s"${info.storeVersion}.json"), overwriteIfPossible = true)
      try {
        out.write(spec.toJson.getBytes(UTF_8))
        out.close()
      } catch {
        case failure: Throwable =>
          out.cancel()
          throw failure
      }
    }

  /** The spec that was in force in a batch. */
  def latest(folder: Path, batch: Long): Option[WheelSpec] = {
    val files = CheckpointFileManager.create(folder, hadoopConf)
    val named: PathFilter = path => batchOf(path).exists(_ <= batch)
    val found = if (files.exists(folder)) files.list(folder, named).map(_.getPath) else Array.empty[Path]
    found.sortBy(batchOf(_).get).lastOption.map { path =>
      val in = files.open(path)
      try WheelSpec.fromJson(new String(in.readAllBytes(), UTF_8))
      finally in.close()
    }
  }

  private def batchOf(path: Path): Option[Long] =
    Option(path.getName)
      .filter(_.endsWith(".json"))
      .flatMap(name => Try(name.stripSuffix(".json").toLong).toOption)

  private def folderOf(info: StatefulOperatorStateInfo): Path =
    new Path(new Path(info.checkpointLocation, info.operatorId.toString), Folder)

  private def runOf(info: StatefulOperatorStateInfo): (UUID, Long) = (info.queryRunId, info.operatorId)

  private def hadoopConf = SparkSession.active.sessionState.newHadoopConf()
}
