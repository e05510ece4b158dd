#!/usr/bin/env bash
# run.sh TEST…: passes tests of the page with node's runner; status 77, and why, where it cannot.
set -euo pipefail
if ! command -v node >/dev/null || [ "$(node -p 'parseInt(process.versions.node) >= 18')" != true ]; then
  echo "lapscope-skip: node 18 or later (nodejs) is not installed"
  exit 77
fi
if [[ $* == *page.test.mjs* ]] && ! [ -x /usr/bin/chromium ] && ! [ -x /usr/bin/google-chrome ] && ! [ -x "${LAPSCOPE_CHROMIUM:-}" ]; then
  echo "lapscope-skip: chromium is not installed"
  exit 77
fi
exec node --test "$@"
