#!/usr/bin/env bash
# Checks that every file and folder that the documentation names exists.
#
#   tests/docs/paths.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
failed=0
while IFS=: read -r page line path; do
  [[ $path == *KIND* ]] && continue # stands for a name to be chosen
  compgen -G "$path" >/dev/null && continue
  echo "$page:$line: there is no $path"
  failed=1
done < <(grep -rnoHP --include='*.md' \
  '(?<![\w/]|\.\./)(\.\./)*\K((tests/)?(analyzer|cli|collector|docs|readers|reports|research|workloads|scripts)|tests/traces)/[a-zA-Z0-9_/.*-]*[a-zA-Z0-9_*]' \
  README.md docs research)
exit $failed
