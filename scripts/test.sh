#!/usr/bin/env bash
# Builds lapscope with warnings as errors and passes its tests, then again what needs no CUDA toolkit under
# AddressSanitizer and UndefinedBehaviorSanitizer. Every public header is compiled alone on the way. Tests
# that need a GPU are skipped where there is none.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$1"; }

step "system packages"
scripts/setup.sh

step "format"
if command -v clang-format-14 >/dev/null; then
  find analyzer cli collector reports tests workloads -name '*.h' -o -name '*.cpp' -o -name '*.cu' |
    sort | xargs clang-format-14 --dry-run --Werror
  echo "formatted"
else
  echo "skipped: clang-format-14 is not installed"
fi

tested() { # PRESET
  cmake --preset "$1" -Wno-dev >/dev/null
  cmake --build --preset "$1"
  local log=build/$1/Testing/Temporary/LastTest.log
  ctest --preset "$1" -j "$(nproc)" --progress
  # CTest names the tests that it skipped, but not why.
  grep -h '^lapscope-skip: ' "$log" | sort -u || true
}

step "build and tests"
tested ci

step "installed tree"
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install build/ci --prefix "$prefix" >/dev/null
"$prefix/bin/lapscope" analyze tests/traces/stream_pipeline-overlapped.sqlite >/dev/null
if [ -e build/ci/workloads/stream_pipeline ]; then
  "$prefix/bin/lapscope" record -o "$prefix/t.sqlite" -- true
fi
echo "works from $prefix"

step "build and tests under ASan and UBSan"
tested ci-sanitize

step "passed"
