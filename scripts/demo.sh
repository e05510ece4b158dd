#!/usr/bin/env bash
# Builds lapscope and compares two variants of one program, one of which does not overlap. If there
# are a GPU and a CUDA toolkit, records both variants. Otherwise, analyzes the bundled recordings.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
build=build/demo
mkdir -p "$build"

# Without a GPU, the collector and the program to record are not built, because they could not run.
why=
cuda=auto
if [ ! -e /dev/nvidiactl ] && [ ! -e /dev/dxg ]; then
  why="there is no NVIDIA GPU here"
  cuda=off
fi
echo "== building in $build"
# Does not optimise, because nearly all of the time here is spent on compiling.
{ cmake --preset release -B "$build" -DLAPSCOPE_CUDA=$cuda "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG" -DLAPSCOPE_PRECOMPILE=ON &&
  cmake --build "$build" --target demo; } \
  >"$build/build.log" 2>&1 || { cat "$build/build.log" >&2; echo "demo: the build failed." >&2; exit 1; }

pipeline=$build/workloads/stream_pipeline
if [ -z "$why" ]; then
  if [ ! -x "$pipeline" ]; then
    why="no CUDA toolkit was found, so nothing can be recorded"
  elif ! said=$("$pipeline" --tiles 3 --tile-mib 1 2>&1 >/dev/null); then
    why="nothing can be recorded here ($(tail -n 1 <<<"$said"))"
  fi
fi

if [ -z "$why" ]; then
  traces=$build
  for variant in default-stream overlapped; do
    echo "== recording stream_pipeline --variant $variant"
    $build/bin/lapscope record -o "$traces/stream_pipeline-$variant.sqlite" -- \
      "$pipeline" --variant "$variant"
  done
else
  traces=tests/traces
  echo "== $why; analyzing the recordings in $traces, made on an NVIDIA H200"
fi
for variant in default-stream overlapped; do
  echo
  echo "== lapscope analyze $traces/stream_pipeline-$variant.sqlite"
  $build/bin/lapscope analyze "$traces/stream_pipeline-$variant.sqlite"
done
