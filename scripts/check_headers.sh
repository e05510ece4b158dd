#!/usr/bin/env bash
# Checks the syntax of every header alone, which shows that the header includes all headers that it
# needs.
#
#   scripts/check_headers.sh BUILD_DIR
#
# BUILD_DIR shows where the headers of CUDA and CUPTI are. If it has none, headers that need them
# are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${1:?usage: check_headers.sh BUILD_DIR}/CMakeCache.txt
folders=$(sed -n 's/^\(LAPSCOPE_CUPTI_INCLUDE\|LAPSCOPE_TOMLPLUSPLUS_INCLUDE\|LAPSCOPE_SQLITE_INCLUDE\):PATH=//p' "$cache" | grep -v NOTFOUND | grep -vx /usr/include)
nvcc=$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$cache")
[ -z "$nvcc" ] || folders+=" $(realpath "$(dirname "$nvcc")/../include")"
includes=()
for folder in $folders; do includes+=(-isystem "$folder"); done
headers=$(git ls-files 'analyzer/*.h' 'readers/*.h' 'reports/*.h' 'cli/*.h' 'collector/*.h' 'workloads/*.h')
if [ -z "$nvcc" ]; then
  headers=$(grep -v -E '^(workloads|collector/(cupti|callbacks|decode|inject|nvtx))/' <<<"$headers")
fi
xargs -P "$(nproc)" -I HEADER bash -c 'printf "#include \"%s\"\n" "$1" | "${@:2}" || { echo "check_headers: $1 does not compile alone" >&2; exit 255; }' \
  check HEADER g++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I. "${includes[@]}" -x c++ - <<<"$headers"
echo "$(wc -l <<<"$headers") headers"
