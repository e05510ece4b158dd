#!/usr/bin/env bash
# Runs every case and variant of stream_suite on a real GPU. Each verifies its result. The fixed variant of a case must
# be faster than the broken one.
#
#   tests/gpu/stream_suite.sh BUILD_DIR
#
# Prints a table. Exit status: 0 if all of this holds, 1 if not, 77 without a GPU. Cases that need more GPUs or a
# missing library are listed and do not count.
set -euo pipefail
suite=${1:?usage: stream_suite.sh BUILD_DIR}/workloads/stream_suite
rounds=${ROUNDS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! "$suite" control --tiles 4 --tile-mib 1 >/dev/null 2>"$work/error"; then
  echo "lapscope-skip: no usable GPU here: $(tail -n 1 "$work/error")"
  exit 77
fi

value() { awk -v key="$1:" '$1 == key { print $2; exit }' "$work/output"; }
run() { timeout 60 "$suite" "$@" >"$work/output" 2>"$work/error"; }

failed=0
declare -A walls
printf '%-28s%-18s%10s%12s\n' case variant wall_ms expected_ms
while read -r case variant _; do
  code=0
  run "$case" --variant "$variant" --repeats "$rounds" || code=$?
  if [ "$code" -eq 2 ] && grep -q -- --repeats "$work/error"; then # shown only once by a process
    code=0
    run "$case" --variant "$variant" || code=$?
  fi
  if [ "$code" -eq 77 ]; then
    printf '%-28s%-18s%s\n' "$case" "$variant" "$(cat "$work/error")"
  elif [ "$code" -ne 0 ]; then
    echo "$case $variant failed with status $code: $(cat "$work/error")" >&2
    failed=1
  else
    walls[$case:$variant]=$(value wall_ms)
    printf '%-28s%-18s%10s%12s\n' "$case" "$variant" "$(value wall_ms)" "$(value expected_wall_ms)"
  fi
done < <("$suite" --list | tail -n +2)

for key in "${!walls[@]}"; do
  case=${key%:*}
  [ "${key#*:}" = broken ] && [ -n "${walls[$case:fixed]:-}" ] || continue
  if ! awk -v a="${walls[$case:fixed]}" -v b="${walls[$key]}" 'BEGIN { exit !(a < 0.95 * b) }'; then
    echo "$case: fixed takes ${walls[$case:fixed]} ms and broken ${walls[$key]} ms" >&2
    failed=1
  fi
done
exit "$failed"
