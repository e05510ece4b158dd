#!/usr/bin/env bash
# Builds lapscope with warnings as errors and runs its tests. Analyzer, reports and command line run
# under AddressSanitizer and UndefinedBehaviorSanitizer. All other tests run with the installed form
# of the code.
#
#   scripts/test.sh          runs every test case once
#   scripts/test.sh --full   runs every test case without sanitizers, and again under sanitizers if
#                            it needs no GPU. This includes the tests of the collector. Compiles
#                            every header and source alone. Also builds benchmarks, programs that
#                            only tests on a GPU run, and device code for older GPUs.
#
# Prints the seconds of each step. At the end, prints each test that could not run, with the reason.
# Without a GPU, tests that need a GPU are among them.
set -euo pipefail
cd "$(dirname "$0")/.."
full=no
case ${1-} in
  "") ;;
  --full) full=yes ;;
  *)
    echo "usage: scripts/test.sh [--full]" >&2
    exit 2
    ;;
esac

steps=()
step=
began=$SECONDS
step() { # NAME: notes the end of the previous step and begins this step
  [ -z "$step" ] || steps+=("$(printf '%5d s  %s' $((SECONDS - began)) "$step")")
  step=$1
  began=$SECONDS
  [ -z "$step" ] || printf '\n== %s\n' "$step"
}

configure() { # PRESET OPTION...
  cmake --preset "$1" -Wno-dev "${@:2}" >/dev/null
}
run_tests() { # PRESET OPTION...; one job more than cores, because some tests mostly wait
  ctest --preset "$1" -j "$(($(nproc) + 1))" --progress --no-tests=error "${@:2}"
}
skipped() { # PRESET...
  local preset
  for preset in "$@"; do
    grep -h '^lapscope-skip: ' "build/$preset/Testing/Temporary/LastTest.log" || true
  done | sort -u
}

step "system packages"
scripts/setup.sh --tests-debian
# Packages from npm and PyPI are fetched during the build, which does not need them.
scripts/setup.sh --tests &
fetching=$!

step "format"
if command -v clang-format-14 >/dev/null; then
  git ls-files '*.h' '*.cuh' '*.cpp' '*.cu' | xargs -P "$(nproc)" -n 100 clang-format-14 --dry-run --Werror
  echo "formatted"
else
  echo "lapscope-skip: format: clang-format-14 is not installed"
fi

sanitize=analysis
gpu_programs=OFF
if [ $full = yes ]; then sanitize=off; fi
if [ $full = yes ] || nvidia-smi -L >/dev/null 2>&1; then gpu_programs=ON; fi
step "build"
configure ci "-DLAPSCOPE_SANITIZE=$sanitize" "-DLAPSCOPE_GPU_PROGRAMS=$gpu_programs"
cmake --build --preset ci
step "tests"
wait $fetching
run_tests ci

step "installed tree"
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install build/ci --prefix "$prefix" >/dev/null
"$prefix/bin/lapscope" analyze tests/traces/stream_pipeline-overlapped.sqlite >/dev/null
test -s "$prefix/share/man/man1/lapscope.1" -a -s "$prefix/share/bash-completion/completions/lapscope"
if [ -e build/ci/workloads/stream_pipeline ]; then
  "$prefix/bin/lapscope" record -o "$prefix/t.sqlite" -- true
fi
echo "works from $prefix"

if [ $full = yes ]; then
  step "launchers"
  if [ -e build/ci/tests/collector/inject/fake_cuda_program ]; then
    scripts/setup.sh --launchers
    tests/collector/launch/launchers.sh build/ci
  else
    echo "lapscope-skip: launchers: the collector needs a CUDA toolkit"
  fi
  step "packages"
  # Wheels are tested by scripts/wheel.sh --test instead, because it compiles for as long as this
  # whole script.
  if [ -e build/ci/tests/collector/inject/fake_cuda_program ]; then
    scripts/deb.sh --test
    scripts/deb.sh --twice
  else
    echo "lapscope-skip: packages: the collector needs a CUDA toolkit"
  fi
  step "benchmarks, device code for older GPUs"
  configure ci '-DCMAKE_CUDA_ARCHITECTURES=75-virtual;90-real'
  cmake --build --preset ci --target all benchmarks
  # Compiles each file alone (LAPSCOPE_UNITY=OFF), so that a missing #include is an error.
  step "build under ASan and UBSan, each file alone"
  # Leaves out programs of tests on a GPU: those tests run only with the installed form of the collector.
  configure ci-sanitize -DLAPSCOPE_UNITY=OFF -DLAPSCOPE_GPU_PROGRAMS=OFF
  cmake --build --preset ci-sanitize
  step "collector under ThreadSanitizer"
  if [ -e build/ci/tests/collector/inject/fake_cuda_program ]; then
    configure ci-thread
    cmake --build --preset ci-thread --target lapscope lapscope_collector fake_cupti fake_cuda_program collector_host_samples_test
    TSAN_OPTIONS=exitcode=66 build/ci-thread/tests/collector/host_samples/collector_host_samples_test
    TSAN_OPTIONS=exitcode=66 build/ci-thread/bin/lapscope record --no-calibrate --flush-ms 10 -o "$prefix/threads.sqlite" \
      --cupti build/ci-thread/tests/collector/inject/libfake_cupti.so -- \
      build/ci-thread/tests/collector/inject/fake_cuda_program init work-in-threads=32
    TSAN_OPTIONS=exitcode=66 tests/collector/inject/captures_by_turns.sh build/ci-thread
  else
    echo "lapscope-skip: ThreadSanitizer: the collector needs a CUDA toolkit"
  fi
  step "headers alone"
  scripts/check_headers.sh build/ci-sanitize
  step "tests under ASan and UBSan"
  run_tests ci-sanitize -LE gpu
fi
step ""

echo
echo "== could not run here"
skipped ci $([ $full = no ] || echo ci-sanitize)
echo
echo "== seconds"
printf '%s\n' "${steps[@]}"
printf '%5d s  in all\n' "$SECONDS"
echo "passed"
