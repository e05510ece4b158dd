#!/usr/bin/env bash
# Runs a test of the package that needs packages from PyPI, in the environment that scripts/setup.sh --tests makes from
# requirements.txt.
#
#   tests/python/extras.sh TEST.py LAPSCOPE [ARGUMENT...]
set -euo pipefail
folder=$(dirname "$0")
python=$folder/environment/bin/python
if ! cmp -s "$folder/requirements.txt" "$folder/environment/installed.txt"; then
  echo "lapscope-skip: python/$1: the packages of tests/python/requirements.txt are not installed (scripts/setup.sh --tests)"
  exit 77
fi
unset PYTHONPATH LAPSCOPE_COMMAND
exec "$python" "$folder/$1" "${@:2}"
