#!/usr/bin/env bash
# Runs the correctness matrix of every scan, tortures the single-pass ones, checks the streamed scan, and looks for bad
# accesses and races (sanitize_scan.sh).
#
#   tests/gpu/scan_ladder.sh BUILD_DIR
#
# LARGE="contender chained", or LARGE=all, verifies these rungs at 2^28 and 2^31 + 17 elements, too (a rung of the CPU:
# of three combinations), as far as the memory goes; TORTURE is the number of scans (2000). Exit status: 0 when all is
# right, 1 when not, 77 where there is no GPU, and where all is right but compute-sanitizer is not installed.
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

"$ladder" --verify
large=${LARGE:-}
if [ "$large" = all ]; then large=$("$ladder" --list | awk '$4 == "any" { print $1 }'); fi
for rung in $large; do
  only=("")
  case $rung in cpu-*) only=("--type u32 --op affine" "--type f32" "--type u64 --op affine") ;; esac
  for combination in "${only[@]}"; do
    # shellcheck disable=SC2086 # Several words, or none.
    "$ladder" --verify --rung "$rung" --min-n 2^28 --max-n 2^32 $combination
  done
done
"$ladder" --torture --repeats "${TORTURE:-2000}"
for variant in one-stream legacy-carry overlapped; do
  "$streamed" --variant "$variant" --n 10000001 --chunk-mib 4
done
exec "$(dirname "$0")/sanitize_scan.sh" "$build"
