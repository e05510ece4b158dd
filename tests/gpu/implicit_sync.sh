#!/usr/bin/env bash
# Measures on a real GPU which calls synchronize, and prints and keeps the table and the raw figures. Checks the rows
# whose outcome CUDA guarantees. The program itself checks its controls.
#
#   tests/gpu/implicit_sync.sh BUILD_DIR [OUT_DIR]
#
# Exit status: 0 if all outcomes are as guaranteed, 1 if one is not, 77 without a GPU.
set -euo pipefail
build=${1:?usage: implicit_sync.sh BUILD_DIR [OUT_DIR]}
out=${2:-$(mktemp -d)}
program=$build/workloads/implicit_sync
mkdir -p "$out"

status=0
"$program" >"$out/implicit_sync.txt" 2>"$out/errors.txt" || status=$?
cat "$out/implicit_sync.txt"
if ((status == 77)); then
  echo "lapscope-skip: no usable GPU here: $(tail -n 1 "$out/errors.txt")"
  exit 77
fi
if ((status != 0)); then
  cat "$out/errors.txt" >&2
  exit 1
fi

failed=0
expect() { # CALL HOST_WAITS_FOR NON_BLOCKING_OVERLAP BLOCKING_OVERLAP
  local found
  found=$(awk -F '  +' -v call="$1" '$1 == call { print $6 "|" $8 "|" $9 }' "$out/implicit_sync.txt")
  if [[ $found == "$2|$3|$4" ]]; then return; fi
  echo "not as CUDA guarantees: $1 is '$found', expected '$2|$3|$4'" >&2
  failed=1
}
expect launch-own-stream nothing yes yes
expect launch-legacy-stream nothing yes no
expect cudaStreamSynchronize 'its stream' yes yes
expect cudaStreamQuery nothing yes yes
expect cudaDeviceSynchronize device 'host waits' 'host waits'
expect cudaEventSynchronize 'its stream' yes yes
expect cudaStreamWaitEvent-pending nothing yes yes
expect cudaMemcpy-device-to-pinned-16MiB 'its stream' yes 'host waits'

"$program" --format json --repeats 1 cudaMemcpy launch >"$out/implicit_sync.json"
if ! grep -q '"schema": "lapscope-implicit-sync/1"' "$out/implicit_sync.json"; then
  echo "the JSON output has no schema" >&2
  failed=1
fi
exit "$failed"
