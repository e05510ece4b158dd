#!/usr/bin/env bash
# Checks that docs/causes has a page with all headings for each cause, and no other page. Also runs the commands that
# the pages suggest.
#
#   tests/docs/causes.sh LAPSCOPE [--write]     --write makes missing pages as skeletons
set -euo pipefail
lapscope=$(realpath "${1:?usage: causes.sh LAPSCOPE [--write]}")
cd "$(dirname "$0")/../.."
headings=("On the screen" "Timeline" "Why" "How to be sure" "Fix" "What it may gain" "Try it")
failed=0

# The causes of gaps in the table of docs/measures.md (which a test writes), and the codes that a gate knows.
table=$(sed -n '/^## Gaps/,/^### /s/^| \([a-z][a-z-]*-[a-z-]*\|lock\|profiler\|unexplained\) | \(.*\) |$/\1\t\2/p' docs/measures.md)
known=$({ "$lapscope" gate none --forbid none 2>&1 || true; } | sed -n 's/.*there are \(.*\)\.$/\1/p' | sed 's/ and /, /; s/, /\n/g')
codes=$(sort -u <(cut -f1 <<<"$table") <(echo "$known"))
if [ "$(wc -l <<<"$table")" -lt 20 ] || [ "$(wc -l <<<"$known")" -lt 20 ]; then
  echo "The codes cannot be read from docs/measures.md or from what gate --forbid says of an unknown cause."
  exit 1
fi

for code in $codes; do
  page=docs/causes/$code.md
  if [ ! -e "$page" ] && [ "${2:-}" = --write ]; then
    {
      printf '# %s\n\n%s\n' "$code" "$(grep "^$code"$'\t' <<<"$table" | cut -f2)"
      printf '\n## %s\n' "${headings[@]}"
    } >"$page"
  fi
  [ -e "$page" ] || { echo "$code has no page: causes.sh LAPSCOPE --write makes $page" && failed=1 && continue; }
  if [ "$(head -1 "$page")" != "# $code" ]; then
    echo "$page does not begin with # $code"
    failed=1
  fi
  if ! diff <(printf '## %s\n' "${headings[@]}") <(grep '^## ' "$page") >/dev/null; then
    echo "$page has other headings than: ${headings[*]}"
    failed=1
  fi
  for framework in CUDA PyTorch 'CuPy and JAX'; do
    grep -q "^\*\*$framework\.\*\*" "$page" || { echo "$page has no fix in $framework" && failed=1; }
  done
  lines=$(wc -l <"$page")
  if [ "$lines" -lt 40 ] || [ "$lines" -gt 90 ]; then
    echo "$page has $lines lines: 40 to 90 are meant"
    failed=1
  fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for page in docs/causes/*.md; do
  grep -qx "$(basename "$page" .md)" <<<"$codes" || { echo "$page is about no cause" && failed=1; }
  while read -r _ arguments; do
    status=0
    # shellcheck disable=SC2086
    XDG_CONFIG_HOME=/none "$lapscope" $arguments >"$work/out" 2>&1 || status=$?
    case $status in # a gate may fail, and a result be inconclusive
      0 | 1 | 3) ;;
      *) echo "$page says to try lapscope $arguments, which ends with status $status:" && tail -1 "$work/out" && failed=1 ;;
    esac
  done < <(grep '^    lapscope' "$page")
done
exit $failed
