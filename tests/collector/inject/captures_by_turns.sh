#!/usr/bin/env bash
# Runs captures of all sorts alternately while threads of a program work, with a fake libcupti. It is meant for a build
# with ThreadSanitizer. Fails if the program fails, or if there are fewer than six traces.
#
#   tests/collector/inject/captures_by_turns.sh BUILD_DIR
set -euo pipefail
build=$(realpath "$1")
stand_ins=$build/tests/collector/inject
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Runs the program for a number of rounds of its work.
run_for() { # ROUNDS
  local steps=(nvtx init work=1 make-event=9)
  for _ in $(seq "$1"); do
    steps+=(work-in-threads=16 range=step:20 send=8:50 record-event=9 wait-for-event=9 work=3)
  done
  rm -rf "$folder/out"
  "$build/bin/lapscope" record --armed --no-calibrate --flush-ms 10 --cupti "$stand_ins/libfake_cupti.so" -o "$folder/out/" -- \
    "$stand_ins/fake_cuda_program" "${steps[@]}" exit=0 &
  local program=$!
  while kill -0 $program 2>/dev/null; do
    for how in "--for 100ms" "--light" "--keep 200ms" "--keep 1s --when-slower 1.2" "--keep 100ms --light" "--iterations 3"; do
      # shellcheck disable=SC2086 # words of a command line
      "$build/bin/lapscope" ctl "$folder/out" start $how >/dev/null 2>&1 || true
      sleep 0.15
      "$build/bin/lapscope" ctl "$folder/out" stop >/dev/null 2>&1 || true
    done
  done
  wait $program
}
has_all() { test "$(find "$folder/out" -name '*.sqlite' | wc -l)" -ge 6; }

run_for 60
# On a busy machine, the captures may need more time than the program runs.
has_all || run_for 300
has_all
