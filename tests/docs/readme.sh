#!/usr/bin/env bash
# Runs the commands of README.md that are in blocks without output. Stored traces take the place of recorded ones, and
# programs that do nothing that of ./app and train.py. scripts/wheel.sh --test runs `pip install`.
#
#   tests/docs/readme.sh LAPSCOPE
set -euo pipefail
lapscope=$(realpath "${1:?usage: readme.sh LAPSCOPE}")
root=$(realpath "$(dirname "$0")/../..")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
mkdir bin
ln -s "$lapscope" bin/lapscope
ln -s "$(command -v python3)" bin/python
records=yes
if [ ! -e "$(dirname "$lapscope")/../lib/lapscope/liblapscope_collector.so" ]; then
  records=no
  echo "lapscope-skip: README.md: commands that record need a CUDA toolkit"
fi
printf '#!/bin/sh\n' | tee app bin/xdg-open >/dev/null
chmod +x app bin/xdg-open
touch train.py
export PATH=$place/bin:$PATH XDG_CONFIG_HOME=$place XDG_CACHE_HOME=$place
failed=0
ran=0
while read -r command; do
  case $command in "pip install "*) continue ;; esac
  if [[ $records = no && $command = "lapscope record "* ]]; then
    echo "not run: $command"
  elif ! bash -c "$command" >output 2>&1; then
    echo "README.md: '$command' fails:" && cat output
    failed=1
  fi
  ran=$((ran + 1))
  # A program that does not use CUDA leaves no trace.
  for trace in app train; do cp "$root/tests/traces/stream_pipeline-default-stream.sqlite" $trace.sqlite; done
done < <(sed -n 's/^    \(.*\)$/\1/p' "$root/README.md")
[ $ran -ge 6 ] || { echo "README.md has only $ran commands" && failed=1; }
for script in $(grep -o '`scripts/[a-z]*\.sh`' "$root/README.md" | tr -d '`' | sort -u); do
  [ -x "$root/$script" ] || { echo "README.md names $script, which is not there" && failed=1; }
done
exit $failed
