#!/usr/bin/env bash
# Takes the figures of all recorded traces, what every renderer makes of some reports, and the generated pages of
# docs, as approved.
# Look at the difference before committing it.
#
#   tests/approve.sh BUILD_DIR
set -euo pipefail
build=$(cd "${1:?usage: approve.sh BUILD_DIR}" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
"$build/collector/schema/lapscope_trace_format_page" >"$root/docs/trace-format.md"
"$build/tests/analyzer/recorded_figures" "$root/tests/traces" \
  >"$root/tests/analyzer/analysis/recorded_figures.txt"
"$build/tests/analyzer/lapscope_measures_page" >"$root/docs/measures.md"
"$build/tests/analyzer/lapscope_accuracy_page" >"$root/docs/what-if-accuracy.md"
"$build/tests/reports/approve_reports" "$root/tests/reports/approved"
