#!/usr/bin/env bash
# Checks that each header and source has its own name, so that a search finds one file. A header and its source in one
# folder count as one. Exceptions: `main`, and files in cases/, which have the names of planted mistakes, because
# recorded traces contain these names.
#
#   tests/scripts/file_names.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
twice=$(find analyzer cli collector readers reports workloads -regex '.*\.\(h\|cpp\|cu\)' \
  -not -name 'main.*' -not -path 'workloads/streams/cases/*' |
  awk '{ stem = $0; sub(/\.[a-z]+$/, "", stem); name = stem; sub(/.*\//, "", name)
         if (stem in seen) next
         seen[stem] = 1
         if (count[name]++) print name }' | sort -u)
for name in $twice; do
  echo "several files are named $name:"
  find analyzer cli collector readers reports workloads -regex ".*/$name\.\(h\|cpp\|cu\)"
done
[ -z "$twice" ]
