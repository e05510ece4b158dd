#!/usr/bin/env bash
# Checks that help, screens, reports and documentation use the terms of docs/glossary.md and no retired ones, and that
# the glossary stays short.
#
#   tests/docs/words.sh LAPSCOPE
set -euo pipefail
lapscope=$(realpath "${1:?usage: words.sh LAPSCOPE}")
cd "$(dirname "$0")/../.."
failed=0

# fix; report or show; evaluate; blocks; critical path. A stretch is an interval, but for the measure of that name.
retired='\b(put(ting)? (it |that |them )?right|tells?|told|telling|judge[ds]?|judging|(hold|holds|held) (\w+ ){0,2}up|holding up|what holds up|the way from|stretches)\b'
interval='(?<!### )(?<![`"#.\w])stretch\b(?!`|"| and overlap_ratio_alone|, overlap_ratio_alone| +[-0-9n]| \||<|,$|=|\]|\))'
check() { # NAME, text on standard input
  local found
  found=$(grep -nP "$2" | head -20) || return 0
  sed "s|^|retired word in $1: |" <<<"$found"
  failed=1
}
shopt -s globstar
pages=(README.md docs/**/*.md research/*.md docs/samples/*.txt tests/reports/approved/*)
for page in "${pages[@]}"; do
  check "$page" "$retired" <"$page"
  check "$page" "$interval" <"$page"
done
for command in "" record analyze report gate diff summarize whatif stats rows convert doctor; do
  # shellcheck disable=SC2086
  help=$("$lapscope" $command --help)
  check "lapscope $command --help" "$retired|$interval|(?<!-)\bplaces?\b" <<<"$help"
done
terms=$(grep -c '^| [a-zA-Z]' docs/glossary.md)
terms=$((terms - 1)) # the head
if [ "$terms" -gt 45 ]; then
  echo "docs/glossary.md has $terms terms, and 45 are enough"
  failed=1
fi
exit $failed
