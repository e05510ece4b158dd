#!/usr/bin/env bash
# Looks for bad accesses and races in every rung of the scan ladder, with compute-sanitizer's memcheck and racecheck.
#
#   tests/gpu/sanitize_scan.sh BUILD_DIR [PART...]
#
# PART, all when left out:
#   matrix  the correctness matrix from 1000 to 10000 elements: every type and operator that a rung has, inclusive and
#           exclusive, misaligned and in place
#   sums    inclusive sums of 100000 u32, and of so many that blocks which stay take several turns
# JOBS runs go on at the same time (4). Each may take LIMIT seconds (120). Exit status: 0 when all are clean, 1 when not,
# 77 where there is no GPU or no compute-sanitizer: then nothing was looked for.
set -euo pipefail
ladder=${1:?usage: sanitize_scan.sh BUILD_DIR [matrix|sums...]}/workloads/scan_ladder
parts=${*:2}
parts=${parts:-matrix sums}
jobs=${JOBS:-4}
limit=${LIMIT:-120}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() {
  echo "lapscope-skip: accesses and races were not checked: $1"
  exit 77
}
sanitizer=$(command -v compute-sanitizer) || skip "compute-sanitizer is not installed"

# Whether a rung runs here without a tool: 0, or 77 if this GPU cannot.
runs_here() {
  local code=0
  "$ladder" --rung "$1" --n 1000 --repeats 1 >"$work/plain" 2>&1 || code=$?
  if [ "$code" -ne 0 ] && [ "$code" -ne 77 ]; then
    cat "$work/plain" >&2
    exit 1
  fi
  return "$code"
}
runs_here contender || skip "no usable GPU here: $(tail -n 1 "$work/plain")"

# One run under one tool: sanitize TOOL RUNG OPTION...
sanitize() {
  local tool=$1 rung=$2 code=0 begin=$SECONDS verdict=clean log
  log=$(mktemp "$work/log.XXXXXX")
  timeout "$limit" "$sanitizer" --tool "$tool" --error-exitcode 9 "$ladder" --rung "$rung" "${@:3}" >"$log" 2>&1 || code=$?
  # The rung runs here without the tool: what is skipped under it was not checked, and that is a failure.
  if [ "$code" -ne 0 ] || ! grep -q '^verified: yes' "$log"; then
    verdict="FAILED with status $code"
    [ "$code" -eq 124 ] && verdict="FAILED: not done after $limit s"
    touch "$work/failed"
    sed "s/^/$rung: /" "$log" | tail -n 20 >&2
  fi
  printf '%-26s %-10s %-36s %4d s  %s\n' "$rung" "$tool" "${*:3}" "$((SECONDS - begin))" "$verdict"
}

start() {
  local tool
  for tool in memcheck racecheck; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
    sanitize "$tool" "$@" &
  done
}

# The rungs by name: the first column of the list, without its head, its foot and those of the CPU.
mapfile -t rungs < <("$ladder" --list | awk 'NR > 1 && $2 ~ /^[0-9]+$/ && $1 !~ /^cpu-/ { print $1 }')
[ "${#rungs[@]}" -gt 0 ] || { echo "scan_ladder --list names no rung" >&2; exit 1; }
here=()
for rung in "${rungs[@]}"; do
  if runs_here "$rung"; then
    here+=("$rung")
  else
    printf '%-26s skipped: %s\n' "$rung" "$(tail -n 1 "$work/plain")"
  fi
done

for part in $parts; do
  case $part in
    matrix)
      for rung in "${here[@]}"; do start "$rung" --verify --min-n 1000 --max-n 10000; done
      ;;
    sums)
      # Small enough for the one-block rungs, and for a tool that makes everything a hundred times slower.
      for rung in "${here[@]}"; do
        case $rung in block-*) start "$rung" --n 1000 --repeats 2 ;; *) start "$rung" --n 100000 --repeats 2 ;; esac
      done
      # Where blocks stay, several turns of every block: only then is a stage of shared memory used again.
      for rung in "${here[@]}"; do
        case $rung in
          contender)
            start "$rung" --n 6000000 --repeats 2
            start "$rung" --n 6000000 --type u64 --repeats 2
            ;;
          bulk-copies) start "$rung" --n 6000000 --repeats 2 ;;
        esac
      done
      ;;
    *)
      echo "sanitize_scan.sh: there is no part '$part'; give matrix or sums" >&2
      exit 2
      ;;
  esac
done
wait
[ ! -e "$work/failed" ]
