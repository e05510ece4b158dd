#!/usr/bin/env bash
# Measures and records the programs of tests/gpu/programs/sealed, broken and fixed, on a machine with a GPU, PyTorch, CuPy
# and JAX.
#
#   scripts/record_sealed.sh BUILD_OR_PREFIX OUT_DIR [RUNS]
#
# BUILD_OR_PREFIX has bin/lapscope, lib/lapscope and tests/gpu/programs/sealed_programs (or
# programs/sealed_programs). They are copied to /opt/lapscope (LAPSCOPE_PREFIX) and run there, so
# that no path of this machine gets into a trace.
#
# First runs each variant of each program RUNS times (9 by default) without a recorder. Three
# processes each make a third of the runs, and variants take turns. Their lines go to
# OUT_DIR/walls.txt. Then records each variant once, to OUT_DIR/NAME-VARIANT.sqlite. At the end,
# packs all files into OUT_DIR/sealed.tar.xz and prints its SHA-256. Failures are reported on
# stderr, and the other programs go on. A process may take 60 s. After RECORD_SECONDS (500 by
# default), starts no new process and packs the files that exist.
#
# Exit status: 0 if all programs were recorded, 1 if not, 77 if there is no GPU.
set -euo pipefail
build=$(realpath "${1:?usage: record_sealed.sh BUILD_OR_PREFIX OUT_DIR [RUNS]}")
mkdir -p "${2:?usage: record_sealed.sh BUILD_OR_PREFIX OUT_DIR [RUNS]}"
out=$(realpath "$2")
runs=${3:-9}
[[ $runs =~ ^[1-9][0-9]*$ ]] || { echo "record_sealed: RUNS is a number." >&2; exit 2; }
here=$(realpath "$(dirname "$0")")
prefix=${LAPSCOPE_PREFIX:-/opt/lapscope}
python=${PYTHON:-python3}
processes=3
repeats=$(((runs + processes - 1) / processes))
limit=60
last=${RECORD_SECONDS:-500}
programs=$build/tests/gpu/programs/sealed_programs
[ -e "$programs" ] || programs=$build/programs/sealed_programs
sources=$here/../tests/gpu/programs/sealed

mkdir -p "$prefix/programs/sealed" || { echo "record_sealed: cannot write to $prefix; run as root." >&2; exit 1; }
for part in bin lib; do
  [ "$build/$part" -ef "$prefix/$part" ] && continue
  rm -rf "${prefix:?}/$part" && cp -R "$build/$part" "$prefix/$part"
done
[ "$programs" -ef "$prefix/programs/sealed_programs" ] || cp "$programs" "$prefix/programs/sealed_programs"
cp "$sources"/*.py "$prefix/programs/sealed/"
cd "$prefix"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
unset CUDA_LAUNCH_BLOCKING CUDA_DEVICE_MAX_CONNECTIONS CUDA_MODULE_LOADING
timeout "$limit" programs/sealed_programs cloth fixed >"$work/said" 2>&1 ||
  { echo "lapscope-skip: no usable GPU here: $(tail -n 1 "$work/said")"; exit 77; }

status=0
: >"$out/walls.txt"
failed() { # WHAT FILE
  echo "record_sealed: $1: $(grep -v '^ready$' "$2" | tail -n 1)" >&2
  status=1
}
in_time() { # WHAT
  [ "$SECONDS" -lt "$last" ] && return 0
  echo "record_sealed: $1: not begun, it is too late" >&2
  status=1
  return 1
}
variants_of() { # NAME
  case $1 in control-*) echo control ;; *) echo broken fixed ;; esac
}

# Runs a program in C++, one process after the other.

with_cuda() { # NAME
  local name=$1 variant process code
  in_time "$name" || return 0
  for ((process = 0; process < processes; ++process)); do
    for variant in $(variants_of "$name"); do
      code=0
      timeout "$limit" programs/sealed_programs "$name" "$variant" "$repeats" >"$work/said" 2>"$work/errors" </dev/null ||
        code=$?
      grep 'wall_ms=' "$work/said" >>"$out/walls.txt" || true
      [ "$code" -eq 0 ] || failed "$name $variant, status $code" "$work/errors"
      [ "$code" -ne 124 ] || return 0  # It has hung, and the next processes would hang, too.
    done
  done
  for variant in $(variants_of "$name"); do
    rm -f "$out/$name-$variant.sqlite"
    timeout "$limit" bin/lapscope record -o "$out/$name-$variant.sqlite" -- programs/sealed_programs "$name" "$variant" \
      >"$work/said" 2>&1 </dev/null || failed "$name $variant, recorded, status $?" "$work/said"
  done
}

# Runs programs in Python. All programs of a group start and import their modules at the same time.
# Then they use the GPU in turn: each waits for a line on its standard input.

declare -a labels pids
hung=
start() { # LABEL COMMAND...
  local number=${#labels[@]}
  labels+=("$1")
  shift
  mkfifo "$work/turn.$number"
  WAIT_FOR_TURN=1 setsid "$@" <>"$work/turn.$number" >"$work/said.$number" 2>"$work/errors.$number" &
  pids+=($!)
}
is_running() { kill -0 "${pids[$1]}" 2>/dev/null; }
wait_until_ready() { # NUMBER
  local tenths
  for ((tenths = 0; tenths < 10 * limit; ++tenths)); do
    grep -qs '^ready$' "$work/said.$1" && return
    is_running "$1" || return 0
    sleep 0.1
  done
}
take_turn() { # NUMBER
  local number=$1 label=${labels[$1]} twentieths code=0
  [[ " $hung " == *" ${label%% *} "* ]] || echo 1<>"$work/turn.$number"  # Does not wait for a reader.
  for ((twentieths = 0; twentieths < 20 * limit; ++twentieths)); do
    is_running "$number" || break
    [[ " $hung " != *" ${label%% *} "* ]] || break
    sleep 0.05
  done
  # If a process has hung, later processes of its program would hang, too.
  if is_running "$number"; then hung+=" ${label%% *}"; fi
  kill -KILL -- "-${pids[$number]}" 2>/dev/null || true
  wait "${pids[$number]}" 2>/dev/null || code=$?
  [ "$code" -eq 0 ] || failed "$label, status $code" "$work/errors.$number"
  case $label in
    *recorded) ;;
    *) grep 'wall_ms=' "$work/said.$number" >>"$out/walls.txt" || true ;;
  esac
}
with_python() { # FILE:NAME...
  local each file name variant process number
  in_time "$*" || return 0
  labels=()
  pids=()
  rm -f "$work"/turn.*
  for each in "$@"; do
    file=programs/sealed/${each%%:*}
    name=${each#*:}
    for ((process = 0; process < processes; ++process)); do
      for variant in $(variants_of "$name"); do
        start "$name $variant" "$python" "$file" "$name" "$variant" --repeat "$repeats"
      done
    done
    for variant in $(variants_of "$name"); do
      rm -f "$out/$name-$variant.sqlite"
      start "$name $variant, recorded" \
        bin/lapscope record -o "$out/$name-$variant.sqlite" -- "$python" "$file" "$name" "$variant"
    done
  done
  for number in "${!labels[@]}"; do wait_until_ready "$number"; done
  for number in "${!labels[@]}"; do take_turn "$number"; done
}

for name in transcode cg-dots book-risk hash-join lstm-server insitu-render stations ensemble-graph thumbnails frame-timing \
  ray-tiles lattice-log halo-exchange trajectory cloth bfs-levels log-search block-compress query-plans \
  recognizer-sessions feature-partitions seismic-stack fir-bank control-newton control-nbody control-archive; do
  with_cuda "$name"
done
with_python networks.py:embedding-lookup networks.py:rollouts
with_python arrays.py:kmeans-masks arrays.py:eager-filter
with_python networks.py:diffusion-sampler networks.py:window-features
with_python networks.py:blocking-train networks.py:eval-confusion
with_python arrays.py:filterbank-chunks arrays.py:no-pool
with_python networks.py:reference-track networks.py:control-prefetch
with_python networks.py:checkpoints networks.py:clip-guard
with_python networks.py:metrics-each-step

# Uses small pages, because a trace has many tables with few rows.
cp "$sources/planted.json" "$out/"
cd "$out"
packed=(walls.txt planted.json)
for trace in *.sqlite; do
  [ -e "$trace" ] || continue
  if "$python" -c 'import sqlite3, sys
trace = sqlite3.connect(sys.argv[1])
trace.execute("PRAGMA journal_mode = DELETE")
trace.execute("PRAGMA page_size = 1024")
trace.execute("VACUUM")' "$trace" 2>"$work/errors"; then
    packed+=("$trace")
  else
    failed "$trace" "$work/errors"
  fi
done
tar -c --owner=0 --group=0 --numeric-owner "${packed[@]}" | xz -9 -T0 >sealed.tar.xz
sha256sum sealed.tar.xz
exit "$status"
