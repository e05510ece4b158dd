#!/usr/bin/env bash
# run.sh TEST…: passes tests of the page with node's runner; status 77, and why, where it cannot.
set -euo pipefail
skip() { echo "lapscope-skip: $*"; exit 77; }
if ! command -v node >/dev/null || [ "$(node -p 'parseInt(process.versions.node) >= 18')" != true ]; then
  skip "node 18 or later (nodejs) is not installed"
fi
if [[ $* == */page/* ]]; then  # pages in a browser
  [ -x /usr/bin/chromium ] || [ -x /usr/bin/google-chrome ] || [ -x "${LAPSCOPE_CHROMIUM:-}" ] ||
    skip "chromium is not installed"
  [ -e "$(dirname "$0")/node_modules/playwright-core/package.json" ] ||
    skip "playwright-core is not installed; scripts/setup.sh installs it where npm is"
fi
exec node --test "$@"
