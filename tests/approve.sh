#!/usr/bin/env bash
# Approves the current figures of all recorded traces, the output of every renderer for some reports, and the generated
# pages of docs. Review the difference before you commit it.
#
#   tests/approve.sh BUILD_DIR
set -euo pipefail
build=$(cd "${1:?usage: approve.sh BUILD_DIR}" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
"$build/collector/schema/lapscope_trace_format_page" >"$root/docs/trace-format.md"
"$build/tests/analyzer/recorded_figures" "$root/tests/traces" "$build/tests/analyzer/all_figures.txt" \
  >"$root/tests/analyzer/analysis/recorded_figures.txt"
"$build/tests/analyzer/lapscope_measures_page" >"$root/docs/measures.md"
"$build/tests/analyzer/lapscope_assumptions_page" "$root/docs/numbers.md"
"$root/tests/bench/accuracy.py" "$build/bin/lapscope" --write
"$root/tests/bench/host_edits.py" "$build/bin/lapscope" --write "$root/docs/host-time.md"
"$root/tests/docs/gains.py" --write
"$root/tests/bench/rank_pairs.py" "$build/bin/lapscope" --write "$root/research/rank-programs.md"
cmake --build "$build" --target lapscope approve_reports  # it prints the bands that were just written
"$build/tests/reports/approve_reports" "$root/tests/reports/approved"
cd "$root/tests/traces"
"$build/bin/lapscope" report stream_pipeline-default-stream.sqlite \
  --format text,markdown,html,perfetto,json -o "$root/docs/samples/stream_pipeline-default-stream"
"$build/bin/lapscope" diff stream_pipeline-default-stream.sqlite stream_pipeline-overlapped.sqlite \
  --format html,perfetto -o "$root/docs/samples/stream_pipeline-diff"
if [ -x /usr/bin/chromium ] && [ -d "$root/tests/reports/html/node_modules/playwright-core" ]; then
  node "$root/tests/reports/html/screenshot.mjs" \
    "$root/docs/samples/stream_pipeline-default-stream.html" "$root/docs/samples/page.png" 1200 1250 "#r=0&find=0"
  node "$root/tests/reports/html/screenshot.mjs" \
    "$root/docs/samples/stream_pipeline-diff.html" "$root/docs/samples/diff.png" 1200 1720
else
  echo "approve: no pictures of pages were taken; scripts/setup.sh installs what takes them" >&2
fi
"$root/tests/docs/console.py" "$build/bin/lapscope" --write
"$build/bin/lapscope" summarize pipeline-fixed.sqlite --range pipeline -o pipeline-fixed.summary.json
