#!/usr/bin/env bash
# Builds the .deb for this distribution (Debian 12 or Ubuntu 24.04) in build/deb. Times in the
# package are those of the commit. The same commit gives the same bytes in any folder. Needs a CUDA
# toolkit for the collector.
#
#   scripts/deb.sh           build
#   scripts/deb.sh --test    also install, use and remove it in a fresh system (tests/packages/deb.sh)
#   scripts/deb.sh --twice   also build it in another folder, and compare the bytes
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
more=${1-}
case $more in
  "" | --test | --twice) ;;
  *)
    echo "usage: scripts/deb.sh [--test | --twice]" >&2
    exit 2
    ;;
esac
scripts/setup.sh --deb
work=$root/build/deb
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

# The package includes the licenses of all libraries that are linked statically.
rm -rf "$work"/licenses "$work"/*.deb
mkdir -p "$work/licenses"
linked=(libsqlite3-dev libdw-dev libelf-dev zlib1g-dev libbz2-dev liblzma-dev libfmt-dev libcli11-dev nlohmann-json3-dev
  libtomlplusplus-dev rapidjson-dev libprotozero-dev)
{
  echo "lapscope is under the MIT license. Linked into its files are, each under the license in the file of its name:"
  for package in "${linked[@]}"; do
    cp "/usr/share/doc/$package/copyright" "$work/licenses/$package"
    # shellcheck disable=SC2016
    dpkg-query -W -f='  ${Package}, of the source package ${source:Package} ${source:Version}\n' "$package"
  done
  echo "and, of CUDA, the static runtime and the headers of CUPTI and NVTX."
  echo
  echo "elfutils is under LGPLv3+ or GPLv2+. Its source is that source package of the distribution. lapscope's source, and"
  echo "scripts/deb.sh in it, link lapscope anew with a changed elfutils."
} >"$work/licenses/NOTICE"

map=-ffile-prefix-map=$root=.
if ! cmake -S . -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_CXX_FLAGS="$map" \
  -DCMAKE_CUDA_FLAGS="-Xcompiler=$map" -DLAPSCOPE_TESTS=OFF -DLAPSCOPE_WORKLOADS=OFF -DLAPSCOPE_GPU_PROGRAMS=OFF \
  -DLAPSCOPE_CUDA=on -DLAPSCOPE_LIBDW=on -DLAPSCOPE_MOLD=OFF -DLAPSCOPE_LICENSES="$work/licenses" >"$work/log" 2>&1 ||
  ! cmake --build "$work/build" >>"$work/log" 2>&1 ||
  ! (cd "$work/build" && rm -rf _CPack_Packages && cpack -G DEB -B "$work" >>"$work/log" 2>&1); then
  tail -40 "$work/log" >&2
  exit 1
fi
rm -rf "$work/_CPack_Packages"
(cd "$work" && sha256sum -- *.deb && ls -l -- *.deb)
case $more in
  --test) tests/packages/deb.sh "$work"/*.deb || [ $? -eq 77 ] ;;
  --twice)
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    git ls-files -z | tar --null -T - -c | tar -x -C "$copy"
    "$copy/scripts/deb.sh" >/dev/null
    if ! cmp "$work"/*.deb "$copy"/build/deb/*.deb; then
      dpkg-deb -x "$work"/*.deb "$copy/first"
      dpkg-deb -x "$copy"/build/deb/*.deb "$copy/second"
      diff -rq "$copy/first" "$copy/second" || true
      exit 1
    fi
    echo "built twice: the bytes are the same"
    ;;
esac
