#!/usr/bin/env bash
# Takes what record_traces.sh has written, perhaps on several machines, into the repository: the traces and their
# catalogue into tests/traces, the figures into the documents.
#
#   scripts/keep_recordings.sh RECORDED...
#
# RECORDED is a folder that record_traces.sh filled, or a tar file of one. Where two of them have the same case the
# later one counts; running it again changes nothing. Then tests/approve.sh BUILD_DIR takes the figures of the new
# traces as approved, and stream_suite_test holds the traces against the catalogue.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: keep_recordings.sh RECORDED..." >&2; exit 2; }
here=$(realpath "$(dirname "$0")")
all=$(mktemp -d)
trap 'rm -rf "$all"' EXIT

for recorded in "$@"; do
  one=$(mktemp -d -p "$all")
  if [ -d "$recorded" ]; then cp -R "$recorded/." "$one"; else tar -C "$one" -xf "$recorded"; fi
  chmod -R u+w "$one"
  mkdir -p "$all/together/bare"
  cp "$one/bare/cases.json" "$all/together/bare/"
  for trace in "$one"/*.sqlite; do
    name=$(basename "$trace" .sqlite)
    [ -e "$one/bare/$name.txt" ] || continue # it failed: an earlier one may be good
    cp "$trace" "$all/together/"
    cp "$one/bare/$name".{txt,recorded,json} "$all/together/bare/"
  done
done

python3 "$here/trace_catalogue.py" write "$all/together"
cp "$all"/together/*.sqlite "$all/together/catalogue.json" "$here/../tests/traces/"
"$here/write_tables.py" streams "$all/together" "$here/../docs/stream-suite.md" "$here/../workloads/streams/README.md"
