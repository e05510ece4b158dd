#!/usr/bin/env bash
# Checks that find_package(lapscope) finds an installed tree, that lapscope_add_gate passes, fails and skips correctly,
# and that the job of pipelines is installed.
#
#   tests/packages/cmake_package.sh BUILD CMAKE
set -euo pipefail
build=$(realpath "${1:?usage: cmake_package.sh BUILD CMAKE}")
cmake=$(realpath "${2:?usage: cmake_package.sh BUILD CMAKE}")
here=$(cd "$(dirname "$0")" && pwd)
traces=$(realpath "$here/../traces")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CONFIG_HOME=/none
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
failed=0
fail() {
  echo "FAILED: $*"
  failed=1
}

# A prefix that is moved after the installation, with a space in its name.
"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/an installed tree"
prefix=$work/an\ installed\ tree

# Finds the job of pipelines through the command, as a component of GitLab does.
find_job=$(sed -n 's/^ *- bash \("\$(dirname.*ci_gate\.sh"\)$/\1/p' "$here/../../templates/lapscope-gate.yml")
status=0
(PATH=$prefix/bin:$PATH LAPSCOPE_CI_OUT=$work/results-of-job LAPSCOPE_CI_CONDITIONS="--min-overlap 0.5" \
  LAPSCOPE_CI_TRACES=$traces/stream_pipeline-serial.sqlite bash -c "bash $find_job") >"$work/log" 2>&1 || status=$?
[ "$status" -eq 1 ] && [ -s "$work/results-of-job/gate.xml" ] || fail "the job ends with $status: $(cat "$work/log")"

configure() { # FOLDER OPTION...
  "$cmake" -S "$here/consumer" -B "$work/$1" -DTRACES="$traces" -DCMAKE_PREFIX_PATH="$prefix" "${@:2}" >"$work/log" 2>&1
}
run_tests() { # FOLDER; what each test came to is in $work/results
  "$(dirname "$cmake")/ctest" --test-dir "$work/$1" -j "$(nproc)" -V >"$work/results" 2>&1 || true
}
expect() { # TEST RESULT
  grep -Eq "Test +#[0-9]+: $1 \.+ *\**$2" "$work/results" ||
    fail "$1 is not $2: $(grep -E "^ *[0-9]+: |Test +#[0-9]+: $1 " "$work/results")"
}

configure plain || { cat "$work/log"; exit 1; }
run_tests plain
for test in good good-file; do expect $test Passed; done
for test in bad bad-range bad-cause bad-file bad-baseline; do expect $test Failed; done
grep -q "failed: min overlap_ratio of device 0, range 'pipeline'" "$work/results" || fail "no reason: $(cat "$work/results")"
if nvidia-smi -L >/dev/null 2>&1; then
  echo "lapscope-skip: a gate without a GPU: there is one here"
else
  expect recorded Skipped
  grep -q "lapscope-skip: recorded: no" "$work/results" || fail "a test is skipped without a reason"
fi

# Imitates a machine with a GPU: plays back a stored trace, each time as a new run.
cat >"$work/lapscope" <<STUB
#!/usr/bin/env bash
case \$1 in
  doctor) echo "ok   driver       580" ;;
  record)
    while [ "\$1" != -- ]; do
      [ "\$1" != -o ] || trace=\$2
      shift
    done
    shift
    "\$@" || exit
    cp "\$PLAYED" "\$trace" && chmod u+w "\$trace" && exec /usr/bin/python3 -c 'import sqlite3, sys
trace, own = sqlite3.connect(sys.argv[1]), int(sys.argv[2])
trace.execute("UPDATE LAPSCOPE_CAPTURE SET value = ? WHERE name = ?", (f"{own:016x}", "session"))
trace.execute("UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + ?", (own,))
trace.execute("UPDATE LAPSCOPE_CLOCKS SET realtime = realtime + ?", (own,))
trace.commit()' "\$trace" \$\$ ;;
  *) exec "$prefix/bin/lapscope" "\$@" ;;
esac
STUB
chmod +x "$work/lapscope"
configure played -DLAPSCOPE_COMMAND="$work/lapscope" || { cat "$work/log"; exit 1; }
PLAYED=$traces/stream_pipeline-overlapped.sqlite run_tests played
expect recorded Passed
grep -qF "it's two  words; \$HOME" "$work/results" || fail "the program has other arguments"
[ "$(find "$work/played" -name 'recorded.*.sqlite' | wc -l)" = 2 ] || fail "not 2 runs"
PLAYED=$traces/stream_pipeline-serial.sqlite run_tests played
expect recorded Failed
PLAYED=/none run_tests played
expect recorded Failed

refuses() { # N, SENTENCE
  ! configure "wrong$1" -DWRONG="$1" || fail "mistake $1 is taken"
  tr -s ' \n' ' ' <"$work/log" | grep -qF "lapscope_add_gate(wrong): $2" || fail "mistake $1: $(cat "$work/log")"
}
refuses 1 "there is no condition; name one, as MIN_OVERLAP 0.5, or a gate file with GATES."
refuses 2 "an argument is empty. Is a variable not set?"
refuses 3 "MIN_OVERLAP has no value. Is a variable not set?"
refuses 4 "name a COMMAND to record, or a TRACE."
refuses 5 "name a COMMAND to record, or a TRACE."
refuses 6 "'least;0.5' is not known; name COMMAND or TRACE, then conditions."
refuses 7 "REPEATS is a number from 1, not 'none'."
exit $failed
