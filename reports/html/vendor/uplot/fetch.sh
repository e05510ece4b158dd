#!/usr/bin/env bash
# fetch.sh [--check]: takes uPlot from npm's registry, or compares what is here with it. Needs npm.
set -euo pipefail
version=1.6.32
package_sha256=4b8a8191e425658e3ea8c8c1314b0fc679c861ee3a1af2b20c7b16ba50b5133d
files=(LICENSE dist/uPlot.iife.min.js dist/uPlot.min.css)

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && npm pack --silent "uplot@$version" >/dev/null)
echo "$package_sha256  $folder/uplot-$version.tgz" | sha256sum --check --quiet ||
  { echo "fetch: the registry's uplot $version is not what it was when this was written" >&2; exit 1; }
tar -xzf "$folder/uplot-$version.tgz" -C "$folder"
for file in "${files[@]}"; do
  if [ "${1:-}" = --check ]; then
    cmp "$folder/package/$file" "$here/${file##*/}"
  else
    cp "$folder/package/$file" "$here/${file##*/}"
  fi
done
if [ "${1:-}" = --check ]; then
  echo "fetch: uPlot $version is as published"
else
  cd "$here" && sha256sum "${files[@]##*/}" >SHA256SUMS
fi
