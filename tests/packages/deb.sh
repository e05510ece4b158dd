#!/usr/bin/env bash
# Installs a .deb of scripts/deb.sh in a fresh system of this distribution (made by mmdebstrap), uses it as a user
# would, and removes it. No file may remain.
#
#   tests/packages/deb.sh DEB
set -euo pipefail
deb=$(realpath "${1:?usage: tests/packages/deb.sh DEB}")
here=$(cd "$(dirname "$0")" && pwd)
if ! command -v mmdebstrap >/dev/null; then
  echo "lapscope-skip: the .deb in a fresh system: mmdebstrap is not installed"
  exit 77
fi
. /etc/os-release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work" # another user's, where mmdebstrap uses a user namespace
mkdir "$work/deb"
cp "$deb" "$work/deb"
cp "$here/../../Containerfile" "$here/../traces/stream_pipeline-default-stream.sqlite" "$here/deb_system.sh" "$work"
mv "$work"/*.sqlite "$work/trace.sqlite"
if ! mmdebstrap --quiet --variant=apt --format=null --customize-hook="$work/deb_system.sh \"\$1\" $work" \
  "${VERSION_CODENAME:?}" >"$work/log" 2>&1; then
  if ! grep -q '^installed' "$work/log"; then
    echo "lapscope-skip: the .deb in a fresh system: mmdebstrap cannot make one here: $(tail -n 1 "$work/log")"
    exit 77
  fi
  cat "$work/log"
  exit 1
fi
cat "$work/log"
