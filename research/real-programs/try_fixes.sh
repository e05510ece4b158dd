#!/usr/bin/env bash
# Predicted against measured, for the programs of research/real-programs.md and the changes that lapscope advises for them.
#
#   research/real-programs/try_fixes.sh LAPSCOPE OUT_DIR
#
# needs a GPU, PyTorch, CuPy and JAX; a program that does not run is reported and skipped. Takes two to three minutes.
set -u
lapscope=$(realpath "${1:?usage: try_fixes.sh LAPSCOPE OUT_DIR}")
out=${2:?usage: try_fixes.sh LAPSCOPE OUT_DIR}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
export XLA_PYTHON_CLIENT_PREALLOCATE=false

# run NAME PROGRAM ARGS…: bare and recorded, once.
run() {
  local name=$1
  [ -e "$out/$name.sqlite" ] && return
  shift
  timeout 60 python3 "$here/$1" "${@:2}" >"$out/$name.bare.txt" 2>&1 || echo "$name: bare, status $?" >&2
  timeout 60 "$lapscope" record -o "$out/$name.sqlite" -- python3 "$here/$1" "${@:2}" >"$out/$name.recorded.txt" 2>&1 ||
    echo "$name: recorded, status $?" >&2
}

# pair BEFORE AFTER FIX SCOPE…: one line of the table.
pair() {
  timeout 60 python3 "$here/compare_fix.py" "$lapscope" "$out" "$@" || echo "$1 to $2: no result" >&2
}

run pytorch_training pytorch_training.py
run pytorch_training_pinned pytorch_training_pinned.py
run cupy_filter cupy_filter.py
run cupy_filter_pinned cupy_filter_pinned.py
run cupy_filter_threads cupy_filter_threads.py
run jax_steps jax_steps.py
run jax_steps_on_device jax_steps.py --on-device

python3 "$here/compare_fix.py"
pair pytorch_training pytorch_training_pinned pageable-copy --range 'step *'
pair cupy_filter cupy_filter_pinned pageable-copy --profiler-brackets
pair cupy_filter cupy_filter_threads host-compute --profiler-brackets
pair jax_steps jax_steps_on_device pageable-copy --profiler-brackets
for name in pytorch_training cupy_filter jax_steps; do
  scope=(--profiler-brackets)
  [ "$name" = pytorch_training ] && scope=(--range 'step 8')
  echo "== findings of $name"
  "$lapscope" analyze --format json "${scope[@]}" "$out/$name.sqlite" >"$out/$name.json"
  python3 "$here/compare_fix.py" findings "$out/$name.json"
done
