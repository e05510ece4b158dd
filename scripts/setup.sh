#!/usr/bin/env bash
# Installs the system packages that lapscope is built with, on Debian 12, Ubuntu 24.04 and their like. Does
# nothing when all are there; asks for nothing.
set -euo pipefail
required=(cmake g++ libcli11-dev libfmt-dev libsqlite3-dev libtomlplusplus-dev ninja-build
          nlohmann-json3-dev zlib1g-dev catch2)
# The version whose formatting the sources follow, what tests/bench is measured with, and what the tests
# check results with: JSON against its schema, Perfetto traces, and the pages and their scripts.
optional=(clang-format-14 libbenchmark-dev python3-jsonschema protobuf-compiler chromium nodejs)

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "setup: this is no Debian or Ubuntu; install the equivalents of: ${required[*]}" >&2
  exit 1
fi
missing=()
for package in "${required[@]}"; do installed "$package" || missing+=("$package"); done
wanted=()
for package in "${optional[@]}"; do installed "$package" || wanted+=("$package"); done
[ ${#missing[@]} -gt 0 ] || [ ${#wanted[@]} -gt 0 ] || exit 0

root=()
if [ "$(id -u)" -ne 0 ]; then
  root=(sudo -n)
  if ! sudo -n true 2>/dev/null; then
    if [ ${#missing[@]} -eq 0 ]; then exit 0; fi
    echo "setup: packages are missing (${missing[*]}) and sudo would ask for a password." >&2
    echo "       Run 'sudo scripts/setup.sh' first." >&2
    exit 1
  fi
fi
apt() { "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@"; }
echo "setup: installing ${missing[*]} ${wanted[*]}" >&2
apt update || echo "setup: the package lists could not all be brought up to date; going on" >&2
[ ${#missing[@]} -eq 0 ] || apt install -y --no-install-recommends "${missing[@]}" >/dev/null
for package in "${wanted[@]}"; do
  apt install -y --no-install-recommends "$package" >/dev/null 2>&1 ||
    echo "setup: $package is not to be had here; what needs it will be skipped" >&2
done
