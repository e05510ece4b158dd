#!/usr/bin/env bash
# Whether the documentation builds as a site: no link or anchor leads nowhere, no page is left out, all of it can be
# searched, and nothing is fetched from elsewhere.
#
#   tests/docs/site.sh
set -euo pipefail
here=$(dirname "$0")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$here/../python/extras.sh" ../../scripts/site.py "$out" # ends with 77, and why, where mkdocs is missing
cd "$out/html"
failed=0
while read -r page; do
  grep -q "\"location\":\"$page" search/search_index.json || { echo "$page is not found by a search" && failed=1; }
done < <(find docs research -name '*.html' -not -path '*/samples/*')
if grep -rnoE '<(script|link|img|iframe)[^>]*(src|href)="?https?://[^>]*>' --include='*.html' --exclude-dir=samples .; then
  echo "pages fetch something from elsewhere"
  failed=1
fi
grep -q 'lapscope.whatif' docs/python-api.html || { echo "the Python API has no whatif" && failed=1; }
exit $failed
