#!/usr/bin/env bash
# Records the traces of tests/traces again, on a machine with a GPU. For every case and variant of
# stream_suite, keeps the output of the bare program, one recording and its analysis. At the end,
# writes the catalogue of all traces.
#
#   scripts/record_traces.sh [--walls] BUILD_OR_PREFIX OUT_DIR [CASE...]
#
# The variants of a case run in turn, in PROCESSES processes each (3 by default). Each process runs
# its variant REPEATS times (3 by default), after a first run that does not count. With --walls, the
# script does only this and records nothing. BUILD_OR_PREFIX has bin/lapscope, lib/lapscope and
# workloads/stream_suite. They are copied to /opt/lapscope and run there, so that no path of this
# machine gets into a trace. The script leaves out and reports cases that this machine cannot run
# (too few GPUs, no NCCL). scripts/keep_recordings.sh adds the results of one or more machines to
# the repository.
#
# Exit status: 0 if all cases that can run here were verified and recorded within their limits, 1 if
# not, 77 if there is no GPU.
set -euo pipefail
usage="usage: record_traces.sh [--walls] BUILD_OR_PREFIX OUT_DIR [CASE...]"
walls_alone=no
if [ "${1-}" = --walls ]; then walls_alone=yes && shift; fi
build=$(realpath "${1:?$usage}")
mkdir -p "${2:?$usage}"
out=$(realpath "$2")
wanted=("${@:3}")
here=$(realpath "$(dirname "$0")")
prefix=${LAPSCOPE_PREFIX:-/opt/lapscope}
processes=${PROCESSES:-3}
repeats=${REPEATS:-3}

mkdir -p "$prefix/workloads" || { echo "record_traces: cannot write to $prefix; run as root." >&2; exit 1; }
if [ "$build" != "$prefix" ]; then
  for part in bin lib; do rm -rf "${prefix:?}/$part" && cp -R "$build/$part" "$prefix/$part"; done
  cp "$build/workloads/stream_suite" "$prefix/workloads/"
fi
cd "$prefix"
suite=./workloads/stream_suite
limit=(timeout "${LIMIT_S:-60}") # of a run, so that a run that hangs does not stop the others
mkdir -p "$out/bare"
"$suite" --list --format json >"$out/bare/cases.json"

status=0
if ! "$suite" control --tiles 4 --tile-mib 1 >/dev/null 2>"$out/bare/probe.txt"; then
  echo "lapscope-skip: no usable GPU here: $(tail -n 1 "$out/bare/probe.txt")"
  exit 77
fi

# If the mistake shows only once in a process (ONCE), each run has a process of its own, and there
# is no warm-up run.
bare() { # CASE VARIANT ONCE
  if [ "$3" = no ]; then
    "${limit[@]}" "$suite" "$1" --variant "$2" --repeats $((repeats + 1))
  else
    for ((run = 0; run < repeats; ++run)); do "${limit[@]}" "$suite" "$1" --variant "$2" || return; done
  fi
}
record() { # CASE VARIANT: also analyzes the recording
  local name=$1-$2
  "${limit[@]}" bin/lapscope record -o "$out/$name.sqlite" -- "$suite" "$1" --variant "$2" \
    >"$out/bare/$name.recorded" 2>"$out/bare/$name.err" || return
  bin/lapscope analyze --range "$1" --format json "$out/$name.sqlite" \
    >"$out/bare/$name.json" 2>"$out/bare/$name.err"
}

listed=$(python3 "$here/trace_catalogue.py" variants "$out/bare/cases.json" "${wanted[@]}")
declare -A codes # exit statuses of failed runs, by case and variant
for case in $(cut -d: -f1 <<<"$listed" | uniq); do
  variants=$(grep "^$case:" <<<"$listed" | cut -d: -f2-)
  for variant in $variants; do
    name=$case-${variant%:*}
    if [ $walls_alone = yes ] && [ -e "$out/$name.sqlite" ]; then
      echo "record_traces: $out has a trace of $name, whose walls are of its own machine; name another folder." >&2
      exit 1
    fi
    rm -f "$out/$name.sqlite" "$out/bare/$name."*
  done
  for ((process = 0; process < processes; ++process)); do
    for variant in $variants; do
      name=$case-${variant%:*}
      [ "${codes[$name]:-0}" -eq 0 ] || continue
      bare "$case" "${variant%:*}" "${variant#*:}" >>"$out/bare/$name.out" 2>"$out/bare/$name.err" || codes[$name]=$?
    done
  done
  for variant in $variants; do
    name=$case-${variant%:*}
    if [ "${codes[$name]:-0}" -eq 0 ] && [ $walls_alone = no ]; then
      record "$case" "${variant%:*}" || codes[$name]=$?
    fi
    case ${codes[$name]:-0} in
      0) { echo "date: $(date -u +%F)" && cat "$out/bare/$name.out"; } >"$out/bare/$name.txt" && rm "$out/bare/$name.out" ;;
      77) echo "$name: $(tail -n 1 "$out/bare/$name.err")" ;;
      *) echo "$name failed with status ${codes[$name]}: $(tail -n 1 "$out/bare/$name.err")" >&2; status=1 ;;
    esac
  done
done

[ $walls_alone = yes ] || python3 "$here/trace_catalogue.py" write "$out" || status=1
exit "$status"
