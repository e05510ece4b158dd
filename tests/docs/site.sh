#!/usr/bin/env bash
# Builds the documentation as a site. No link or anchor may lead nowhere, all pages must be listed and searchable, and
# nothing may be fetched from elsewhere.
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
