#!/usr/bin/env bash
# Runs the recipes of docs/ci.md as far as possible without a GPU. Recordings are played back, and everything else is
# real.
#
#   tests/docs/ci_recipes.sh LAPSCOPE
set -euo pipefail
lapscope=$(realpath "${1:?usage: ci_recipes.sh LAPSCOPE}")
root=$(cd "$(dirname "$0")/../.." && pwd)
traces=$root/tests/traces
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
export XDG_CONFIG_HOME=/none

# Each block with a title is a file of this name.
awk '/^```[a-z]+ title=/ { sub(/.*title="/, ""); sub(/"$/, ""); file = $0; dir = file
                           if (sub(/\/[^\/]*$/, "", dir)) system("mkdir -p " dir); next }
     /^```/ { file = "" }
     file != "" { print > file }' "$root/docs/ci.md"

mkdir bin
# Each playback is a new run, with its own session and start.
cat >bin/lapscope <<STUB
#!/usr/bin/env bash
[ "\$1" = record ] || exec "$lapscope" "\$@"
[ "\$2" = -o ] && [ "\$4" = -- ] || exit 2
cp "\$PLAYED" "\$3" && chmod u+w "\$3" && /usr/bin/python3 - "\$3" \$\$ <<'PLAY'
import sqlite3, sys
trace, own = sqlite3.connect(sys.argv[1]), int(sys.argv[2])
trace.execute("UPDATE LAPSCOPE_CAPTURE SET value = ? WHERE name = 'session'", (f"{own:016x}",))
trace.execute("UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + ?", (own,))
trace.execute("UPDATE LAPSCOPE_CLOCKS SET realtime = realtime + ?", (own,))
trace.commit()
PLAY
STUB
chmod +x bin/lapscope
export PATH=$work/bin:$PATH
good=$traces/stream_pipeline-overlapped.sqlite
bad=$traces/stream_pipeline-serial.sqlite

failed=0
expect() { # STATUS WHAT COMMAND…
  local wanted=$1 what=$2 status=0
  shift 2
  "$@" >log 2>&1 || status=$?
  if [ "$status" -ne "$wanted" ]; then
    echo "FAILED: $what: status $status, expected $wanted"
    cat log
    failed=1
  fi
}

# The page's example of a gate file is valid, but this trace lacks its range.
PLAYED=$good lapscope record -o main.sqlite -- true
lapscope summarize main.sqlite --range pipeline -o train.json
expect 3 "the gate file" lapscope gate "$good" --config lapscope.toml
sed -i 's/train_step/pipeline/; /^compare/d; s/forbid = .*/forbid = ["default-stream-barrier"]/' lapscope.toml
expect 0 "the gate file, good run" lapscope gate "$good" --config lapscope.toml
expect 1 "the gate file, bad run" lapscope gate "$bad" --config lapscope.toml

if python3 -m pytest --version >/dev/null 2>&1; then
  sed -i 's/train_step/pipeline/' tests/test_overlap.py
  PLAYED=$good expect 0 "pytest, good run" python3 -m pytest -q tests/test_overlap.py
  PLAYED=$bad expect 1 "pytest, bad run" python3 -m pytest -q tests/test_overlap.py
else
  echo "lapscope-skip: the pytest recipe: there is no pytest here"
fi
exit $failed
