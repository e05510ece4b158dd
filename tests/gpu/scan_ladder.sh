#!/usr/bin/env bash
# Runs the correctness matrix of every scan, tortures the single-pass ones, checks the streamed scan, and, where
# compute-sanitizer is installed, looks for bad accesses and races in every rung at a small size.
#
#   tests/gpu/scan_ladder.sh BUILD_DIR
#
# LARGE="contender look-back-warp" verifies these rungs at 2^28 and 2^31 + 17 elements, too, which takes minutes; TORTURE
# is the number of scans (2000). Exit status: 0 when all is right, 1 when not, 77 where there is no GPU.
set -euo pipefail
build=${1:?usage: scan_ladder.sh BUILD_DIR}
ladder=$build/workloads/scan_ladder
streamed=$build/workloads/streamed_scan
log=$(mktemp)
trap 'rm -f "$log"' EXIT

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
for rung in ${LARGE:-}; do "$ladder" --verify --rung "$rung" --max-n 2^32; done
"$ladder" --torture --repeats "${TORTURE:-2000}"
for variant in one-stream legacy-carry overlapped; do
  "$streamed" --variant "$variant" --n 10000001 --chunk-mib 4
done

if ! sanitizer=$(command -v compute-sanitizer); then
  echo "compute-sanitizer is not installed: accesses and races were not checked"
  exit 0
fi

failed=0
# Looks for bad accesses and races while a rung scans: sanitize RUNG N [OPTION...]
sanitize() {
  local tool code begin verdict
  for tool in memcheck racecheck; do
    code=0
    begin=$SECONDS
    timeout 60 "$sanitizer" --tool "$tool" --error-exitcode 9 "$ladder" --rung "$1" --n "${@:2}" --repeats 2 \
      >"$log" 2>&1 || code=$?
    verdict=clean
    if [ "$code" -eq 77 ]; then
      verdict="skipped, it does not run here"
    elif [ "$code" -ne 0 ] || ! grep -q '^verified: yes' "$log"; then
      verdict="FAILED with status $code"
      failed=1
      tail -n 20 "$log" >&2
    fi
    printf '%-26s %-10s n %-20s %4d s  %s\n' "$1" "$tool" "${*:2}" "$((SECONDS - begin))" "$verdict"
  done
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
exit "$failed"
