#!/usr/bin/env bash
# Runs the targets of tests/fuzz, each from its corpus, and prints the number of inputs that each
# has tried. Inputs that fail are in build/fuzz/found/TARGET. Minimize them (-minimize_crash=1) and
# add them to tests/fuzz/corpus/TARGET.
#
#   scripts/fuzz.sh                        every target for 60 s
#   scripts/fuzz.sh --seconds N            for N s
#   scripts/fuzz.sh --runs N               for N inputs
#   scripts/fuzz.sh [--…] TARGET…          only these targets
#
# Needs clang 16 or newer with its runtime libraries (scripts/setup.sh --fuzz installs them).
set -euo pipefail
cd "$(dirname "$0")/.."
usage() {
  echo "usage: scripts/fuzz.sh [--seconds N | --runs N] [TARGET...]" >&2
  exit 2
}
limit=-max_total_time=60
targets=()
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) [ $# -gt 1 ] || usage; limit=-max_total_time=$2; shift 2 ;;
    --runs) [ $# -gt 1 ] || usage; limit=-runs=$2; shift 2 ;;
    -*) usage ;;
    *) targets+=("$1"); shift ;;
  esac
done
[ ${#targets[@]} -gt 0 ] || targets=(trace_bytes row_values nsys_export kineto_json xprof_profile gate_file summary rank_summary command_line unwind_tables elf_symbols cupti_buffer)

clang=
for version in 20 19 18 17 16; do
  [ -n "$clang" ] || clang=$(command -v "clang++-$version" || true)
done
if [ -z "$clang" ]; then
  echo "lapscope-skip: fuzzing: there is no clang 16 or newer (scripts/setup.sh --fuzz)"
  exit 77
fi

scripts/setup.sh --tests
cmake -S . -B build/fuzz -G Ninja -Wno-dev -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER="$clang" \
  -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O2 -g1" -DLAPSCOPE_SANITIZE=on -DLAPSCOPE_FUZZ=ON >/dev/null
cmake --build build/fuzz --target fuzz

# Turns off the slowest checks. The stack of each allocation and use after return take half of the time, freed memory
# that no cache holds takes a quarter, and libFuzzer's search for leaks (-detect_leaks) takes an eighth.
export ASAN_OPTIONS=malloc_context_size=0:detect_stack_use_after_return=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=64

status=0
for target in "${targets[@]}"; do
  corpus=build/fuzz/corpus/$target found=build/fuzz/found/$target
  mkdir -p "$corpus" "$found"
  seeds=(tests/fuzz/corpus/"$target")
  # The target trace_bytes starts from small recorded traces.
  if [ "$target" = trace_bytes ]; then
    mkdir -p build/fuzz/traces
    find tests/traces -name '*.sqlite' -size -56k -exec cp -t build/fuzz/traces {} +
    seeds+=(build/fuzz/traces)
  fi
  echo "== $target"
  # The first folder gets new inputs. -entropic would count rare features for every input, which takes as long as
  # reading the input.
  if build/fuzz/tests/fuzz/fuzz --target="$target" "$limit" -entropic=0 -detect_leaks=0 -max_len=65536 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -verbosity=0 -artifact_prefix="$found/" "$corpus" "${seeds[@]}" 2>build/fuzz/"$target".log; then
    grep -h 'number_of_executed_units' build/fuzz/"$target".log
  else
    status=1
    tail -n 40 build/fuzz/"$target".log
  fi
done
exit $status
