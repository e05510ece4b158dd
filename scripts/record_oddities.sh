#!/usr/bin/env bash
# Records the traces of tests/traces/oddities again, on a machine with a GPU and PyTorch. They are
# traces of small programs whose recordings are unusual.
#
#   scripts/record_oddities.sh BUILD_OR_PREFIX OUT_DIR
#
# BUILD_OR_PREFIX has bin/lapscope, lib/lapscope, tests/gpu/programs/endings_static,
# workloads/stream_suite and tests/bench/collector/launch_loop. They are copied to /opt/lapscope
# (LAPSCOPE_PREFIX) and run there, so that no path of this machine gets into a trace. Afterwards,
# copy the files in OUT_DIR to tests/traces/oddities and follow tests/traces/README.md.
#
# Exit status: 0 if all programs were recorded, 1 if not, 77 if there is no GPU.
set -euo pipefail
build=$(realpath "${1:?usage: record_oddities.sh BUILD_OR_PREFIX OUT_DIR}")
mkdir -p "${2:?usage: record_oddities.sh BUILD_OR_PREFIX OUT_DIR}"
out=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
prefix=${LAPSCOPE_PREFIX:-/opt/lapscope}

mkdir -p "$prefix/programs" || { echo "record_oddities: cannot write to $prefix; run as root." >&2; exit 1; }
for part in bin lib; do rm -rf "${prefix:?}/$part" && cp -R "$build/$part" "$prefix/$part"; done
cp "$build/tests/gpu/programs/endings_static" "$build/tests/bench/collector/launch_loop" \
  "$build/workloads/stream_suite" \
  "$here/../tests/gpu/programs/frameworks.py" "$prefix/programs/"
cd "$prefix"
code=0
probe=$(./programs/endings_static plain 10) || code=$?
[ "$code" -eq 5 ] || { echo "lapscope-skip: no usable GPU here: $probe"; exit 77; }

status=0
options=()
record() { # NAME EXPECTED_STATUS COMMAND...
  local name=$1 expected=$2 code=0
  shift 2
  rm -f "$out/$name.sqlite"
  timeout 60 bin/lapscope record "${options[@]}" -o "$out/$name.sqlite" -- "$@" >/dev/null 2>"$out/said" || code=$?
  grep '^lapscope: ' "$out/said" || true
  if [ "$code" -ne "$expected" ]; then
    echo "$name: status $code instead of $expected: $(tail -n 1 "$out/said")" >&2
    status=1
  fi
}

record graph 0 ./programs/launch_loop --pattern graph --nodes 16 --launches 12
record threads 5 ./programs/endings_static threads 30
record fork 5 ./programs/endings_static fork 100
record killed 137 ./programs/endings_static sigkill 100
record pytorch-step 0 "${PYTHON:-python3}" programs/frameworks.py torch-step
options=(--bare 3)
record bare-runs 0 ./programs/stream_suite tiny-kernels --variant broken
rm -f "$out/said"

# Uses small pages, because a trace has many tables with few rows.
for trace in "$out"/*.sqlite; do
  python3 -c 'import sqlite3, sys; t = sqlite3.connect(sys.argv[1]); t.execute("PRAGMA page_size = 1024"); t.execute("VACUUM")' "$trace"
done
exit "$status"
