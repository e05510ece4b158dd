#!/usr/bin/env bash
# Runs the correctness matrix of every scan and the streamed scan. Looks for bad accesses and races with
# compute-sanitizer.
#
#   tests/gpu/scan_ladder.sh BUILD_DIR
#
# Exit status: 0 if all is right, 1 if not, 77 without a GPU. Also 77 if all is right, but compute-sanitizer is missing.
set -euo pipefail
build=${1:?usage: scan_ladder.sh BUILD_DIR}
ladder=$build/workloads/scan_ladder
streamed=$build/workloads/streamed_scan

status=0
probe=$("$ladder" --verify 2>&1) || status=$?
echo "$probe"
if [ "$status" -eq 77 ]; then
  echo "lapscope-skip: no usable GPU here: $(tail -n 1 <<<"$probe")"
  exit 77
fi
[ "$status" -eq 0 ] || exit 1
for variant in one-stream legacy-carry overlapped; do
  "$streamed" --variant "$variant" --n 10000001 --chunk-mib 4
done

if ! sanitizer=$(command -v compute-sanitizer); then
  echo "lapscope-skip: accesses and races of scans were not checked: compute-sanitizer is not installed"
  exit 77
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# These programs run here without the tool. What the tool skips was not checked, which is a failure.
sanitize() {
  local tool status begin=$SECONDS
  for tool in memcheck racecheck; do
    status=0
    "$sanitizer" --tool "$tool" --error-exitcode 9 "$ladder" "$@" >"$log" 2>&1 || status=$?
    if [ "$status" -ne 0 ] || ! grep -q '^verified: yes' "$log"; then
      tail -n 20 "$log" >&2
      echo "$tool: scan_ladder $*: FAILED with status $status" >&2
      exit 1
    fi
    echo "$tool: scan_ladder $*: clean, $((SECONDS - begin)) s"
  done
}
sanitize --verify --n 1000
sanitize --verify --n 10000
# These blocks of the contender stay for several turns. Only such blocks reuse a stage of shared memory.
sanitize --rung contender --n 6000000 --samples 1
sanitize --rung contender --n 6000000 --samples 1 --type u64
