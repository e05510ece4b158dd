#!/usr/bin/env bash
# Records the traces of tests/traces again, on a machine with a GPU: for every case and variant of stream_suite
# first what the bare program prints, then one recording and its analysis, and in the end the catalogue of them all.
#
#   scripts/record_traces.sh BUILD_OR_PREFIX OUT_DIR [CASE...]
#
# BUILD_OR_PREFIX has bin/lapscope, lib/lapscope and workloads/stream_suite. They are copied to /opt/lapscope and
# run from there, so that no path of this machine gets into a trace. Cases that this machine cannot run (too few
# GPUs, no NCCL) are left out, and said so. ROUNDS=N sets how often a bare case runs (7).
# scripts/keep_recordings.sh takes the result into the repository, also from several machines.
#
# Exit status: 0 when everything that can run here was verified and recorded within its limits, 1 when not, 77
# where there is no GPU.
set -euo pipefail
build=$(realpath "${1:?usage: record_traces.sh BUILD_OR_PREFIX OUT_DIR [CASE...]}")
mkdir -p "${2:?usage: record_traces.sh BUILD_OR_PREFIX OUT_DIR [CASE...]}"
out=$(realpath "$2")
wanted=("${@:3}")
here=$(realpath "$(dirname "$0")")
prefix=${LAPSCOPE_PREFIX:-/opt/lapscope}
rounds=${ROUNDS:-7}

mkdir -p "$prefix/workloads" || { echo "record_traces: cannot write to $prefix; run as root." >&2; exit 1; }
if [ "$build" != "$prefix" ]; then
  for part in bin lib; do rm -rf "${prefix:?}/$part" && cp -R "$build/$part" "$prefix/$part"; done
  cp "$build/workloads/stream_suite" "$prefix/workloads/"
fi
cd "$prefix"
suite=./workloads/stream_suite
limit=(timeout "${LIMIT_S:-60}") # of a run: one that hangs must not stop the rest
mkdir -p "$out/bare"
"$suite" --list --format json >"$out/bare/cases.json"

status=0
if ! "$suite" control --tiles 4 --tile-mib 1 >/dev/null 2>"$out/bare/probe.txt"; then
  echo "lapscope-skip: no usable GPU here: $(tail -n 1 "$out/bare/probe.txt")"
  exit 77
fi

# Once for a case that a process shows only once: then the runs are processes.
bare() { # CASE VARIANT ONCE
  if [ "$3" = no ]; then
    "${limit[@]}" "$suite" "$1" --variant "$2" --repeats "$rounds"
  else
    for ((i = 1; i <= rounds; ++i)); do "${limit[@]}" "$suite" "$1" --variant "$2" || return; done
  fi
}

variants=$(python3 "$here/trace_catalogue.py" variants "$out/bare/cases.json" "${wanted[@]}")
for line in $variants; do
  IFS=: read -r case variant once <<<"$line"
  name=$case-$variant
  rm -f "$out/$name.sqlite" "$out/bare/$name.txt"
  code=0
  bare "$case" "$variant" "$once" >"$out/bare/$name.out" 2>"$out/bare/$name.err" || code=$?
  if [ "$code" -eq 0 ]; then
    "${limit[@]}" bin/lapscope record -o "$out/$name.sqlite" -- "$suite" "$case" --variant "$variant" \
      >"$out/bare/$name.recorded" 2>"$out/bare/$name.err" || code=$?
  fi
  if [ "$code" -eq 0 ]; then
    bin/lapscope analyze --range "$case" --format json "$out/$name.sqlite" \
      >"$out/bare/$name.json" 2>"$out/bare/$name.err" || code=$?
  fi
  case $code in
    0) mv "$out/bare/$name.out" "$out/bare/$name.txt" ;;
    77) echo "$name: $(tail -n 1 "$out/bare/$name.err")" ;;
    *) echo "$name failed with status $code: $(tail -n 1 "$out/bare/$name.err")" >&2; status=1 ;;
  esac
done

python3 "$here/trace_catalogue.py" write "$out" || status=1
exit "$status"
