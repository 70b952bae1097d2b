package io.paddlewheel.spark.state

import java.nio.file.Files
import java.util.UUID

import scala.collection.mutable
import scala.util.Random

import org.apache.hadoop.conf.Configuration
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.execution.streaming.state._
import org.scalatest.funsuite.AnyFunSuite

import io.paddlewheel.spark.SparkSessions

/** Rows by level, rotation and key, against a map. */
class StateRowsSuite extends AnyFunSuite with SparkSessions {

  private def store(): StateStore = {
    val provider = new WheelStateStoreProvider
    val hadoop = new Configuration
    hadoop.set(StreamExecution.RUN_ID_KEY, UUID.randomUUID().toString)
    provider.init(
      StateStoreId(Files.createTempDirectory("paddlewheel-rows").toString, 0, 0),
      StateRows.KeySchema,
      StateRows.ValueSchema,
      RangeKeyScanStateEncoderSpec(StateRows.KeySchema, StateRows.Ordering),
      true,
      new StateStoreConf(spark.asInstanceOf[ClassicSession].sessionState.conf),
      hadoop,
      false,
      None
    )
    provider.getStore(0)
  }

  test("ranges have every key of their rotations, whatever its bytes, and no other") {
    val random = new Random(7)
    val rows = new StateRows(store(), 1)
    val model = mutable.Map.empty[(Int, Long, Seq[Byte]), Seq[Byte]]
    // Rows of a state are padded to words; sizes on both sides of a byte's worth.
    def key() = {
      val bytes = new Array[Byte](8 * Seq(1, 2, 3, 31, 32, 33, 64)(random.nextInt(7)))
      random.nextBytes(bytes)
      if (random.nextBoolean()) java.util.Arrays.fill(bytes, 0, 8, (random.nextInt(3) - 1).toByte)
      bytes
    }
    val rotations = Seq(Long.MinValue, -1000000007L, -256, -2, -1, 0, 1, 2, 255, 256, 65536, 1L << 40)
    (0 until 3000).foreach { _ =>
      val level = Seq(-2, -1, 0, 1, 2, 100)(random.nextInt(6))
      val (rotation, bytes) = (rotations(random.nextInt(rotations.size)), key())
      val value = Array.fill(random.nextInt(20))(random.nextInt().toByte)
      rows.put(level, rotation, bytes, value)
      model((level, rotation, bytes.toSeq)) = value.toSeq
      if (random.nextInt(20) == 0) {
        rows.remove(level, rotation, bytes)
        model.remove((level, rotation, bytes.toSeq))
      }
      assert(
        Option(rows.get(level, rotation, bytes)).map(_.toSeq) == model.get((level, rotation, bytes.toSeq))
      )
    }
    (0 until 200).foreach { n =>
      val level = Seq(-2, -1, 0, 1, 2, 100)(random.nextInt(6))
      val bounds = Seq.fill(2)(rotations(random.nextInt(rotations.size)) + random.nextInt(2))
      val (from, until) = (bounds.min, bounds.max)
      def inside(key: (Int, Long, Seq[Byte])) = key._1 == level && key._2 >= from && key._2 < until
      if (n % 20 == 0) {
        rows.delete(level, from, until)
        model.keys.filter(inside).toSeq.foreach(model.remove)
      }
      val found = mutable.ArrayBuffer.empty[(Long, Seq[Byte], Seq[Byte])]
      rows.scan(level, from, until)((rotation, key, value) =>
        found += ((rotation, key.getBytes.toSeq, value.toSeq))
      )
      val expected = model.collect { case (key, value) if inside(key) => (key._2, key._3, value) }.toSet
      assert(found.toSet == expected && found.size == expected.size, s"level $level, [$from, $until)")
      assert(found.map(_._1) == found.map(_._1).sorted)
    }
  }
}
