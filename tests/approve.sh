#!/usr/bin/env bash
# Takes what every renderer shows of every recorded trace, and the generated pages of docs, as approved.
# Look at the difference before committing it.
#
#   tests/approve.sh BUILD_DIR
set -euo pipefail
build=$(cd "${1:?usage: approve.sh BUILD_DIR}" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
"$build/collector/schema/lapscope_trace_format_page" >"$root/docs/trace-format.md"
"$build/tests/analyzer/lapscope_measures_page" >"$root/docs/measures.md"
cd "$root/tests/traces"
for trace in *.sqlite; do
  for format in text json; do
    "$build/bin/lapscope" analyze --format "$format" "$trace" >"../reports/approved/${trace%.sqlite}.$format"
  done
done
