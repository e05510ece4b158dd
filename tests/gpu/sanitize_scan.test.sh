#!/usr/bin/env bash
# That sanitize_scan.sh does not take what was not checked for clean, with a made-up ladder and a made-up tool.
set -euo pipefail
script=$(dirname "$0")/sanitize_scan.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/workloads" "$work/tools"

cat >"$work/workloads/scan_ladder" <<'LADDER'
#!/usr/bin/env bash
case $* in
  --list) printf '%s\n' 'rung passes ceiling_% max_n change' 'cpu-sequential 2 - any a' 'contender 2 100.0 any b' \
    'bulk-copies 2 100.0 any c' 'passes and ceiling_% are those of n = 2^24' ;;
  *bulk-copies*) echo 'scan_ladder: skipped: no bulk copies' >&2; exit 77 ;;
  *) echo 'verified: yes' ;;
esac
LADDER
# Runs the program, or leaves with the status that the test asks for.
cat >"$work/tools/compute-sanitizer" <<'TOOL'
#!/usr/bin/env bash
if [ -n "${TOOL_STATUS:-}" ]; then exit "$TOOL_STATUS"; fi
exec "${@:5}"
TOOL
chmod +x "$work/workloads/scan_ladder" "$work/tools/compute-sanitizer"

# expect STATUS TEXT PATH: what the script leaves with, and what it says.
expect() {
  local code=0
  PATH=$3 "$script" "$work" matrix >"$work/out" 2>&1 || code=$?
  if [ "$code" -ne "$1" ] || ! grep -q -- "$2" "$work/out"; then
    echo "expected status $1 and '$2', got status $code and:" >&2
    cat "$work/out" >&2
    exit 1
  fi
}
# Without the folders in which a toolkit may lie.
without=/usr/bin:/bin
if ! PATH=$without command -v compute-sanitizer >/dev/null; then
  expect 77 'compute-sanitizer is not installed' "$without"
fi
expect 0 'contender .*clean' "$work/tools:$without"
expect 0 'bulk-copies .*skipped: .*no bulk copies' "$work/tools:$without"
TOOL_STATUS=77 expect 1 'FAILED with status 77' "$work/tools:$without"
TOOL_STATUS=9 expect 1 'FAILED with status 9' "$work/tools:$without"
