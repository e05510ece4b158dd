#!/usr/bin/env bash
# Takes the figures of all recorded traces, what every renderer shows of some, and the generated reference
# page, as approved.
# Look at the difference before committing it.
#
#   tests/approve.sh BUILD_DIR
set -euo pipefail
build=$(cd "${1:?usage: approve.sh BUILD_DIR}" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
"$build/collector/schema/lapscope_trace_format_page" >"$root/docs/trace-format.md"
"$build/tests/analyzer/recorded_figures" "$root/tests/traces" \
  >"$root/tests/analyzer/analysis/recorded_figures.txt"
cd "$root/tests/traces"
for approved in ../reports/approved/*.json; do
  trace=$(basename "$approved" .json).sqlite
  for format in text json; do
    "$build/bin/lapscope" analyze --format "$format" "$trace" >"../reports/approved/${trace%.sqlite}.$format"
  done
done
