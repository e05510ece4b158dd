#!/usr/bin/env bash
# Whether each header and source has a name of its own: who searches for one finds one. A header and its source in one folder
# are one. Many programs have a `main`; and what is in cases/ is named after what it plants, and recorded traces name it.
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
