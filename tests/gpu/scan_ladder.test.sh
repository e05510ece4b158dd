#!/usr/bin/env bash
# Tests with fake programs and a fake tool that scan_ladder.sh does not accept what was not checked.
set -euo pipefail
script=$(dirname "$0")/scan_ladder.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/workloads" "$work/tools"

cat >"$work/workloads/scan_ladder" <<'LADDER'
#!/usr/bin/env bash
[ "${LADDER_STATUS:-0}" -eq 0 ] || exit "$LADDER_STATUS"
echo 'verified: yes'
LADDER
cp "$work/workloads/scan_ladder" "$work/workloads/streamed_scan"
# Runs the program, or exits with the status that the test sets.
cat >"$work/tools/compute-sanitizer" <<'TOOL'
#!/usr/bin/env bash
if [ -n "${TOOL_STATUS:-}" ]; then exit "$TOOL_STATUS"; fi
exec "${@:5}"
TOOL
chmod +x "$work"/workloads/* "$work/tools/compute-sanitizer"

# expect STATUS TEXT PATH: checks the exit status and the output of the script.
expect() {
  local code=0
  PATH=$3 "$script" "$work" >"$work/out" 2>&1 || code=$?
  if [ "$code" -ne "$1" ] || ! grep -q -- "$2" "$work/out"; then
    echo "expected status $1 and '$2', got status $code and:" >&2
    cat "$work/out" >&2
    exit 1
  fi
}
# Leaves out folders that may contain a toolkit.
without=/usr/bin:/bin
if ! PATH=$without command -v compute-sanitizer >/dev/null; then
  expect 77 'compute-sanitizer is not installed' "$without"
fi
expect 0 'racecheck: .*clean' "$work/tools:$without"
LADDER_STATUS=77 expect 77 'lapscope-skip: no usable GPU' "$work/tools:$without"
LADDER_STATUS=1 expect 1 '' "$work/tools:$without"
TOOL_STATUS=0 expect 1 'FAILED with status 0' "$work/tools:$without"
TOOL_STATUS=77 expect 1 'FAILED with status 77' "$work/tools:$without"
TOOL_STATUS=9 expect 1 'FAILED with status 9' "$work/tools:$without"
