ThisBuild / organization := "io.paddlewheel"
ThisBuild / version := "0.1.0-SNAPSHOT"
ThisBuild / scalaVersion := "2.13.18"
ThisBuild / scalacOptions ++= Seq("-deprecation", "-feature", "-unchecked", "-Xlint", "-Werror", "-release:17")

lazy val testing = Seq(
  libraryDependencies ++= Seq(
    "org.scalatest" %% "scalatest" % "3.2.19" % Test,
    "org.scalacheck" %% "scalacheck" % "1.18.1" % Test
  ),
  Test / fork := true
)

lazy val core = (project in file("jvm/core"))
  .settings(name := "paddlewheel-core", testing)
