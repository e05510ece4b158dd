#!/usr/bin/env bash
# Adds the results of record_traces.sh, perhaps of several machines, to the repository. Traces and
# their entries of the catalogue go to tests/traces, and figures go to the documents.
#
#   scripts/keep_recordings.sh RECORDED...
#
# RECORDED is a folder that record_traces.sh filled with all or some cases, or a tar file of such a
# folder. Cases that are in no folder stay as they are. If several folders have a case, the last of
# them counts. Running the script again changes nothing. Afterwards, tests/approve.sh BUILD_DIR
# approves the figures of the new traces, and stream_suite_test compares the traces with the
# catalogue.
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
