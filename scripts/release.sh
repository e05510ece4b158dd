#!/usr/bin/env bash
# Makes the files of a release in build/release, from a clean checkout: the source distribution, the
# wheel, the .deb and SHA256SUMS. The same commit gives the same bytes in any folder, on machines
# with the same distribution and CUDA toolkit. docs/building.md describes the comparison that showed
# this.
#
#   scripts/release.sh
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -gt 0 ]; then
  echo "usage: scripts/release.sh" >&2
  exit 2
fi
if [ -n "$(git status --porcelain)" ]; then
  echo "release: the checkout is not clean: commit or remove what 'git status' lists" >&2
  exit 1
fi
version=$(sed -n 's/^project(lapscope VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -q "^## \[$version\]" CHANGELOG.md ||
  echo "release: CHANGELOG.md has no section [$version]; what this makes is a trial" >&2

scripts/deb.sh >/dev/null
scripts/wheel.sh >/dev/null
rm -rf build/release
mkdir -p build/release
cp -p build/deb/*.deb build/wheel/dist/lapscope-* build/release
cd build/release
sha256sum -- lapscope* >SHA256SUMS
cat SHA256SUMS
ls -l
