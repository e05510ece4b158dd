#!/usr/bin/env bash
# Installs the wheel $LAPSCOPE_WHEEL (scripts/wheel.sh) in a fresh environment, and uses it as a user would.
#
#   tests/python/wheel.sh BUILD     a build of the same sources; with a CUDA toolkit, it has the fake libcupti
set -euo pipefail
sources=$(realpath "$(dirname "$0")/../..")
build=$(realpath "$1")
if [ -z "${LAPSCOPE_WHEEL-}" ]; then
  echo "lapscope-skip: no wheel: LAPSCOPE_WHEEL names none (scripts/wheel.sh makes and tests one)"
  exit 77
fi
wheel=$(realpath "$LAPSCOPE_WHEEL")
built=$build/bin/lapscope
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=/none XDG_CACHE_HOME=$folder/cache
unset VIRTUAL_ENV CONDA_PREFIX CUDA_HOME CUDA_PATH PYTHONPATH LAPSCOPE_COMMAND LAPSCOPE_COLLECTOR
failed=0
fail() {
  echo "FAILED: $*"
  failed=1
}

python3 -m venv "$folder/environment"
environment=$folder/environment
python=$environment/bin/python
# As README.md says.
"$environment/bin/pip" -q --disable-pip-version-check install lapscope --no-index --find-links "$(dirname "$wheel")"
command=$environment/bin/lapscope

[ "$("$command" --version)" = "$("$built" --version)" ] || fail "the version is another one"
"$command" doctor >"$folder/doctor" || true
grep -qF "$environment/lib/lapscope/liblapscope_collector.so" "$folder/doctor" || fail "doctor: $(cat "$folder/doctor")"
[ -f "$environment/share/man/man1/lapscope.1" ] || fail "there is no manual page"
[ -f "$environment/share/lapscope/licenses/LGPL-3" ] || fail "there are no licenses"

# The wheel has another compiler and another C++ library, but the same output.
compare() { # WORD...
  cmp -s <("$command" "$@" 2>&1) <("$built" "$@" 2>&1) || fail "another result: lapscope $*"
}
cd "$sources/tests/traces"
count=0
while read -r trace; do
  compare analyze --format json "$trace"
  count=$((count + 1))
done < <(find . -name '*.sqlite' -o -path './frameworks/*.json*' | sort)
compare analyze -v stream_pipeline-default-stream.sqlite
compare whatif pipeline-broken.sqlite
compare diff pipeline-broken.sqlite pipeline-fixed.sqlite
compare gate --config lapscope.toml
echo "$count traces have the same result"

# The package finds the command that is installed with it.
(cd / && "$python" - "$sources/tests/traces/pipeline-broken.sqlite" "$command") <<'END' || fail "the package"
import subprocess, sys
import lapscope
trace, command = sys.argv[1:]
assert lapscope.command() == command, lapscope.command()
text = subprocess.run([command, "analyze", "--format", "json", trace], stdout=subprocess.PIPE).stdout
assert lapscope.analyze(trace).json.encode() == text
with lapscope.range("step"):
    pass
END
# The wheel also has a plugin that pytest finds, a server that says which package is missing, and files that are no
# Python.
(cd / && "$python" - <<'END') || fail "entry points or files are missing"
import importlib.metadata, os
import lapscope
points = {(point.group, point.name): point.value for point in importlib.metadata.distribution("lapscope").entry_points}
assert points["pytest11", "lapscope"] == "lapscope.pytest_plugin", points
for name in ("SKILL.md", "timeline.js", "py.typed", "pytest_plugin/__init__.py", "mcp/server.py"):
    assert os.path.getsize(os.path.join(os.path.dirname(lapscope.__file__), name)) or name == "py.typed", name
END
"$environment/bin/lapscope-mcp" / 2>"$folder/mcp" && fail "lapscope-mcp runs without mcp"
grep -qF "pip install 'lapscope[mcp]'" "$folder/mcp" || fail "lapscope-mcp: $(cat "$folder/mcp")"

# No file needs a newer glibc than the wheel states, or a library that a machine may lack.
for file in "$command" "$environment"/lib/lapscope/*; do
  newest=$(objdump -T "$file" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
  [ "$(printf '%s\nGLIBC_2.28\n' "$newest" | sort -V | tail -1)" = GLIBC_2.28 ] || fail "$file needs $newest"
  needed=$(readelf -d "$file" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
    grep -vE '^(libc|libm|libpthread|libdl|librt|ld-linux-x86-64)\.so\.[0-9]$' || true)
  [ -z "$needed" ] || fail "$file needs $needed"
done

fake_cupti=$(find "$build/tests/collector/inject" -name 'libfake_cupti.so' 2>/dev/null || true)
program=$build/tests/collector/inject/fake_cuda_program
if [ -n "$fake_cupti" ] && [ -x "$program" ]; then
  # As pip would install nvidia-cuda-cupti.
  packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  mkdir -p "$packages/nvidia/cu13/lib"
  cp "$fake_cupti" "$packages/nvidia/cu13/lib/libcupti.so.13"
  "$command" doctor >"$folder/doctor" || true
  grep -qF "in a wheel of this Python environment: " "$folder/doctor" || fail "doctor: $(cat "$folder/doctor")"
  cd "$folder"
  for recorder in "$command" "$built"; do
    "$recorder" record --no-calibrate --cupti "$packages/nvidia/cu13/lib/libcupti.so.13" --stacks all \
      -o "$(basename "$(dirname "$(dirname "$recorder")")").sqlite" -- "$program" init work=100 calls=cudaMalloc_v3020:4 exit=0 2>record.log ||
      fail "$recorder record: $(cat record.log)"
  done
  compare analyze --format json environment.sqlite
  # The wheel itself finds names and lines of the program's stacks.
  lines() { # TRACE
    "$python" -c 'import sqlite3, sys
print(sorted(sqlite3.connect(sys.argv[1]).execute(
    "SELECT DISTINCT s.value, f.value, sourceLine FROM CUDA_CALLCHAINS JOIN StringIds s ON s.id = symbol "
    "JOIN StringIds f ON f.id = sourceFile WHERE f.value LIKE \"%fake_cuda_program.cpp\"")))' "$1"
  }
  lines environment.sqlite >lines
  grep -q fake_cuda_program.cpp lines || fail "no lines: $(cat lines)"
  echo "recorded, with lines: $(cut -c1-160 lines)"
  cmp -s lines <(lines "$(basename "$build").sqlite") || fail "other lines: $(cat lines)"
else
  echo "no recording: this build has no stand-in for CUPTI"
fi

if command -v pipx >/dev/null; then
  export PIPX_HOME=$folder/pipx PIPX_BIN_DIR=$folder/bin
  [ "$(pipx run --spec "$wheel" lapscope --version 2>"$folder/pipx.log")" = "$("$built" --version)" ] ||
    fail "pipx run: $(cat "$folder/pipx.log")"
else
  echo "no pipx run: pipx is not installed"
fi
exit $failed
