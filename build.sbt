import java.nio.charset.StandardCharsets.UTF_8

val sparkVersion = "4.3.0" // ships Scala 2.13.18, so that is the version below

Global / onChangedBuildSource := ReloadOnSourceChanges

ThisBuild / organization := "io.paddlewheel"
ThisBuild / version := IO.read(file("VERSION"), UTF_8).trim // the Python package reads the same file
ThisBuild / scalaVersion := "2.13.18"
ThisBuild / licenses := Seq(License.Apache2)

// Warnings are errors everywhere: main, test and benchmark code.
ThisBuild / scalacOptions ++= Seq(
  "-encoding",
  "utf8",
  "-release:17",
  "-deprecation",
  "-feature",
  "-unchecked",
  "-Xlint",
  "-Wdead-code",
  "-Werror"
)

// Tests run in a JVM of their own; two cores and a small memory are enough for all of them.
lazy val tested = Seq(
  libraryDependencies ++= Seq(
    "org.scalatest" %% "scalatest" % "3.2.19" % Test,
    "org.scalatestplus" %% "scalacheck-1-18" % "3.2.19.0" % Test,
    "org.scalacheck" %% "scalacheck" % "1.18.1" % Test
  ),
  Test / fork := true,
  Test / javaOptions ++= Seq("-Xmx1500m", "-XX:+UseParallelGC"),
  Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oD")
)

// Java sources written here are held to the same rule; those JMH generates are not.
lazy val strictJava = Compile / compile / javacOptions ++= Seq("--release", "17", "-Xlint:all", "-Werror")

/** The engine: pure Scala, no Spark on its class path. */
lazy val core = (project in file("jvm/core"))
  .settings(name := "paddlewheel-core", tested, strictJava)

/** What runs inside Spark.
  *
  * Spark is there at run time and is never packaged. It is compiled against as PySpark ships it, in the virtual
  * environment `make build` sets up: the JVM side and Python are then always on one and the same Spark. The engine is in
  * the jar of this module, so that one jar is all a session needs; `pythonJar` puts it into the Python package.
  */
lazy val spark = (project in file("jvm/spark"))
  .dependsOn(core)
  .settings(
    name := "paddlewheel-spark",
    tested,
    strictJava,
    Compile / unmanagedClasspath ++= sparkJars.value,
    Test / unmanagedClasspath ++= sparkJars.value,
    Test / javaOptions ++= sparkOpens,
    Compile / resourceGenerators += Def.task {
      val built = (Compile / resourceManaged).value / "io" / "paddlewheel" / "spark" / "version.properties"
      IO.write(built, s"paddlewheel=${version.value}\nspark=$sparkVersion\n", UTF_8)
      Seq(built)
    },
    Compile / packageBin / mappings ++= (core / Compile / packageBin / mappings).value
      .filterNot(_._1.isDirectory),
    pythonJar := {
      val jar = (Compile / packageBin).value
      val folder = (ThisBuild / baseDirectory).value / "python" / "paddlewheel" / "jars"
      val placed = folder / jar.getName
      IO.delete((folder * "*.jar").get.filterNot(_ == placed)) // of other versions
      if (Hash(jar).toSeq != Hash(placed).toSeq) IO.copyFile(jar, placed)
      placed
    }
  )

lazy val pythonJar = taskKey[File]("Puts the jar into the Python package, as the only one there.")

/** What Spark's own launcher opens of Java's modules, for tests that start a session. */
lazy val sparkOpens =
  Seq("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util") ++
    Seq("java.util.concurrent", "java.util.concurrent.atomic", "sun.nio.ch", "sun.nio.cs") ++
    Seq("sun.security.action", "sun.util.calendar") map (name => s"--add-opens=java.base/$name=ALL-UNNAMED")

lazy val sparkJars = Def.task {
  val python = (ThisBuild / baseDirectory).value / ".venv" / "lib"
  val jars = (python * "python3*" / "site-packages" / "pyspark" / "jars" * "*.jar").get
  if (!jars.exists(_.getName == s"spark-sql_2.13-$sparkVersion.jar"))
    sys.error(
      s"The spark module needs the jars of PySpark $sparkVersion in .venv; found none. Run: make build"
    )
  jars.filterNot(_.getName.startsWith("scala-library")).classpath // sbt brings its own, the same version
}

/** JMH benchmarks, and the comparison with other engines that `make bench` runs. */
lazy val benchmarks = (project in file("benchmarks"))
  .dependsOn(core)
  .enablePlugins(JmhPlugin)
  .settings(
    name := "paddlewheel-benchmarks",
    tested,
    publish / skip := true,
    libraryDependencies += "org.openjdk.jol" % "jol-core" % "0.17",
    Jmh / run / fork := true,
    Jmh / run / baseDirectory := (ThisBuild / baseDirectory).value,
    Jmh / run / outputStrategy := Some(StdoutOutput),
    Jmh / run / javaOptions :=
      Seq(
        "-Xms3g",
        "-Xmx3g",
        "-XX:+UseParallelGC",
        "-XX:+AlwaysPreTouch"
      ) // a question may not pay for fresh pages
  )

lazy val paddlewheel = (project in file("."))
  .aggregate(core, spark, benchmarks)
  .settings(publish / skip := true)
