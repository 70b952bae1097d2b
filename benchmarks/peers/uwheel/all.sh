#!/bin/sh
# Every compared run, one JSON line each, on standard output. PEER names another build.
set -eu
cd "$(dirname "$0")"
peer=${PEER:-target/release/uwheel-peer}

for days in 1 7; do
  for variant in default prefix; do
    for granularity in seconds minutes hours; do
      "$peer" ranges --days $days --granularity $granularity --variant $variant
    done
    "$peer" whole --days $days --variant $variant
  done
done

for days in 1 7; do
  for retention in keep drop; do
    for disorder in 0 45; do
      "$peer" ingest --days $days --disorder $disorder --retention $retention
    done
  done
done

"$peer" gaps
"$peer" gaps --retention keep

for aggregator in sum max; do
  for window in 15/5 30/10 60/20 900/300 1800/600 180/1 900/3 1800/6 2700/9 3600/12; do
    "$peer" windows --range ${window%/*} --slide ${window#*/} --aggregator $aggregator
  done
done

for days in 1 7; do
  for variant in default prefix compressed; do
    "$peer" memory --days $days --variant $variant
  done
  "$peer" memory --days $days --variant compressed --chunk 4096
  "$peer" memory --days $days --retention drop
done
for occupied in 1 10 1000; do
  "$peer" memory --occupied $occupied
done
