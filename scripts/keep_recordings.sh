#!/usr/bin/env bash
# Takes what record_traces.sh has written, perhaps on several machines, into the repository: the traces and their
# entries of the catalogue into tests/traces, the figures into the documents.
#
#   scripts/keep_recordings.sh RECORDED...
#
# RECORDED is a folder that record_traces.sh filled, of all cases or of some, or a tar file of one. Cases that no folder
# has stay as they are; where two have the same case the later one counts; running it again changes nothing. Then
# tests/approve.sh BUILD_DIR takes the figures of the new traces as approved, and stream_suite_test holds the traces
# against the catalogue.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: keep_recordings.sh RECORDED..." >&2; exit 2; }
here=$(realpath "$(dirname "$0")")
all=$(mktemp -d)
trap 'rm -rf "$all"' EXIT

folders=()
for recorded in "$@"; do
  one=$(mktemp -d -p "$all")
  if [ -d "$recorded" ]; then cp -R "$recorded/." "$one"; else tar -C "$one" -xf "$recorded"; fi
  chmod -R u+w "$one"
  folders+=("$one")
done

python3 "$here/trace_catalogue.py" keep "$here/../tests/traces" "${folders[@]}"
"$here/write_tables.py" streams "$here/../tests/traces/catalogue.json" "$here/../research/stream-suite.md" \
  "$here/../workloads/README.md"
