#!/usr/bin/env bash
# Runs the correctness matrix of every scan, tortures the single-pass ones, checks the streamed scan, and, where
# compute-sanitizer is installed, looks for bad accesses and races at a small size.
#
#   tests/gpu/scan_ladder.sh BUILD_DIR
#
# MAX_N=2^32 runs the large sizes too. Exit status: 0 when all is right, 1 when not, 77 where there is no GPU.
set -euo pipefail
build=${1:?usage: scan_ladder.sh BUILD_DIR}
ladder=$build/workloads/scan_ladder
streamed=$build/workloads/streamed_scan

status=0
probe=$("$ladder" --n 1000 2>&1) || status=$?
if [ "$status" -eq 77 ]; then
  echo "lapscope-skip: no usable GPU here: $(tail -n 1 <<<"$probe")"
  exit 77
elif [ "$status" -ne 0 ]; then
  echo "$probe" >&2
  exit 1
fi

"$ladder" --verify --max-n "${MAX_N:-10000000}"
"$ladder" --torture --repeats "${TORTURE:-2000}"
for variant in one-stream legacy-carry overlapped; do
  "$streamed" --variant "$variant" --n 10000001 --chunk-mib 4
done

if ! sanitizer=$(command -v compute-sanitizer); then
  echo "compute-sanitizer is not installed: accesses and races were not checked"
  exit 0
fi

# Looks for bad accesses and races while a rung scans: sanitize RUNG N [OPTION...]
sanitize() {
  for tool in memcheck racecheck; do
    rc=0
    output=$("$sanitizer" --tool "$tool" --error-exitcode 9 "$ladder" --rung "$1" --n "${@:2}" --repeats 2 2>&1) || rc=$?
    if [ "$rc" -ne 0 ] && [ "$rc" -ne 77 ]; then
      echo "$tool on $1 with --n ${*:2}:" >&2
      tail -n 20 <<<"$output" >&2
      exit 1
    fi
    if [ "$rc" -eq 77 ]; then echo "$1: skipped, it does not run here" && return; fi
  done
  echo "$1: memcheck and racecheck found nothing with --n ${*:2}"
}

# The rungs by name: the first column of the list, without its head and without those of the CPU.
for rung in $("$ladder" --list | awk 'NR > 1 && $1 !~ /^cpu-/ { print $1 }'); do
  # Small enough for the one-block rungs, and for a tool that makes everything a hundred times slower.
  case $rung in block-*) sanitize "$rung" 1000 ;; *) sanitize "$rung" 100000 ;; esac
done
# Where blocks stay, several turns of every block: only then is a stage of shared memory used again.
sanitize contender 6000000
sanitize contender 6000000 --type u64
sanitize bulk-copies 6000000
