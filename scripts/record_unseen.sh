#!/usr/bin/env bash
# Records unseen.cu and unseen.py of tests/gpu/programs, broken and fixed, on a machine with a GPU, PyTorch and CuPy.
#
#   scripts/record_unseen.sh BUILD_OR_PREFIX OUT_DIR
#
# BUILD_OR_PREFIX has bin/lapscope, lib/lapscope and tests/gpu/programs/unseen (or programs/unseen).
# They are copied to /opt/lapscope (LAPSCOPE_PREFIX) and run there, so that no path of this machine
# gets into a trace.
#
# Exit status: 0 if all programs were recorded, 1 if not, 77 if there is no GPU.
set -euo pipefail
build=$(realpath "${1:?usage: record_unseen.sh BUILD_OR_PREFIX OUT_DIR}")
mkdir -p "${2:?usage: record_unseen.sh BUILD_OR_PREFIX OUT_DIR}"
out=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
prefix=${LAPSCOPE_PREFIX:-/opt/lapscope}
unseen=$build/tests/gpu/programs/unseen
[ -e "$unseen" ] || unseen=$build/programs/unseen

mkdir -p "$prefix/programs" || { echo "record_unseen: cannot write to $prefix; run as root." >&2; exit 1; }
for part in bin lib; do rm -rf "${prefix:?}/$part" && cp -R "$build/$part" "$prefix/$part"; done
cp "$unseen" "$here/../tests/gpu/programs/unseen.py" "$prefix/programs/"
cd "$prefix"
programs/unseen server fixed || { echo "lapscope-skip: no usable GPU here"; exit 77; }

status=0
record() { # NAME COMMAND...
  local name=$1
  shift
  for variant in broken fixed; do
    rm -f "$out/$name-$variant.sqlite"
    if ! timeout 120 bin/lapscope record -o "$out/$name-$variant.sqlite" -- "$@" "$name" $variant >"$out/said" 2>&1; then
      echo "$name $variant: $(tail -n 1 "$out/said")" >&2
      status=1
    fi
  done
}
for name in long-set-up two-phases readers pool server long-end small-kernels; do record $name programs/unseen; done
for name in read-loss pageable-batches cupy-streams; do record $name "${PYTHON:-python3}" programs/unseen.py; done
rm -f "$out/said"

# Uses small pages, because a trace has many tables with few rows.
for trace in "$out"/*.sqlite; do
  python3 -c 'import sqlite3, sys; t = sqlite3.connect(sys.argv[1]); t.execute("PRAGMA page_size = 1024"); t.execute("VACUUM")' "$trace"
done
exit "$status"
