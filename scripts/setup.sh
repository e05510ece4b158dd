#!/usr/bin/env bash
# Installs system packages on Debian 12, Ubuntu 24.04 and their like. Does nothing when all are there; asks for
# nothing.
#
#   scripts/setup.sh            what building needs
#   scripts/setup.sh --tests    and what testing needs, playwright-core from npm and packages from PyPI included
#   scripts/setup.sh --fuzz     what scripts/fuzz.sh needs besides
#   scripts/setup.sh --wheel    what scripts/wheel.sh needs besides
#   scripts/setup.sh --deb      what scripts/deb.sh needs besides
#   scripts/setup.sh --launchers  Open MPI and Slurm, for tests/collector/launch/launchers.sh
set -euo pipefail
cd "$(dirname "$0")/.."
required=(cmake g++ libcli11-dev libfmt-dev libsqlite3-dev libtomlplusplus-dev ninja-build nlohmann-json3-dev
  rapidjson-dev zlib1g-dev)
# Builds faster with it; lines of call stacks, which libdw reads; XProf's *.xplane.pb.
optional=(mold libdw-dev libbz2-dev liblzma-dev libprotozero-dev)
case ${1-} in
  "") ;;
  --tests)
    required+=(catch2)
    # The version whose formatting the sources follow, what tests/bench is measured with, and what the tests
    # check results with: JSON against its schema, Perfetto traces, the pages and their scripts, and pipelines.
    optional+=(clang-format-14 libbenchmark-dev python3-jsonschema python3-venv python3-yaml protobuf-compiler chromium nodejs)
    ;;
  # elfutils and SQLite are compiled from their packages' sources.
  --wheel) required+=(bison dpkg-dev flex gawk libprotozero-dev m4 make python3-venv tcl) ;;
  # All that building can have, and a fresh system to install in.
  --deb)
    required+=(dpkg-dev file libbz2-dev libdw-dev liblzma-dev libprotozero-dev)
    optional+=(mmdebstrap)
    ;;
  --fuzz) optional+=(clang-19 libclang-rt-19-dev) ;;
  --launchers) optional+=(openmpi-bin slurm-wlm) ;;
  *)
    echo "usage: scripts/setup.sh [--tests | --fuzz | --wheel | --deb | --launchers]" >&2
    exit 2
    ;;
esac

has() { command -v "$1" >/dev/null; }
installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
may_install() { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }
apt() {
  local root=()
  [ "$(id -u)" -eq 0 ] || root=(sudo -n)
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@"
}
install_optional() { # PACKAGE
  apt install -y --no-install-recommends "$1" >/dev/null 2>&1 ||
    echo "setup: $1 could not be installed; what needs it is skipped" >&2
}

install_packages() {
  local missing=() wanted=() package
  for package in "${required[@]}"; do installed "$package" || missing+=("$package"); done
  for package in "${optional[@]}"; do installed "$package" || wanted+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || [ ${#wanted[@]} -gt 0 ] || return 0
  if ! may_install; then
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "setup: packages are missing (${missing[*]}) and sudo would ask for a password." >&2
    echo "       Run 'sudo scripts/setup.sh ${1-}' first." >&2
    exit 1
  fi
  echo "setup: installing ${missing[*]} ${wanted[*]}" >&2
  apt update || echo "setup: the package lists could not all be updated; going on" >&2
  [ ${#missing[@]} -eq 0 ] || apt install -y --no-install-recommends "${missing[@]}" >/dev/null
  for package in "${wanted[@]}"; do install_optional "$package"; done
}

# Other builds of node bring npm. Debian's is 355 packages, of 11 MB and 88 MB unpacked, so it is installed
# only where there is a browser for what npm is to fetch.
install_npm() {
  has chromium || has google-chrome || [ -x "${LAPSCOPE_CHROMIUM:-}" ] || return 0
  if has node && ! has npm && may_install; then
    echo "setup: installing npm" >&2
    apt update || true
    install_optional npm
  fi
}

# playwright-core as tests/reports/html/package-lock.json has it, checked against the checksum there. A copy of
# that file tells later what is installed.
install_browser_driver() {
  local folder=tests/reports/html owner=() npm_ci=(npm ci --ignore-scripts --no-audit --no-fund --prefer-offline)
  local lock=$folder/package-lock.json mark=$folder/node_modules/.installed-lock.json
  if ! has node || ! has npm || cmp -s "$lock" "$mark"; then return 0; fi
  echo "setup: installing what $lock names" >&2
  # What sudo installs here belongs to whoever the sources belong to.
  [ "$(id -u)" -ne 0 ] || [ -z "${SUDO_USER:-}" ] || owner=(sudo -H -u "$SUDO_USER")
  # Without network npm would try again for more than a minute.
  if "${owner[@]}" "${npm_ci[@]}" --fetch-retries=1 --fetch-retry-mintimeout=1000 --prefix "$folder" >/dev/null; then
    "${owner[@]}" cp "$lock" "$mark"
  else
    echo "setup: playwright-core could not be installed; tests of pages in a browser are skipped" >&2
  fi
}

# An environment of Python with what tests/python/requirements.txt names; a copy of that file tells later what is installed.
install_python_packages() {
  local folder=tests/python owner=() environment
  local list=$folder/requirements.txt mark=$folder/environment/installed.txt
  environment=$folder/environment
  if [ ! -x /usr/bin/python3 ] || cmp -s "$list" "$mark"; then return 0; fi
  echo "setup: installing what $list names" >&2
  [ "$(id -u)" -ne 0 ] || [ -z "${SUDO_USER:-}" ] || owner=(sudo -H -u "$SUDO_USER")
  if "${owner[@]}" /usr/bin/python3 -m venv --clear "$environment" >/dev/null &&
    "${owner[@]}" "$environment/bin/pip" -q --disable-pip-version-check --retries 1 install -r "$list" >/dev/null; then
    "${owner[@]}" cp "$list" "$mark"
  else
    echo "setup: $list could not be installed; tests of Python's extras are skipped" >&2
  fi
}

if ! has dpkg-query || ! has apt-get; then
  echo "setup: this is no Debian or Ubuntu; install the equivalents of: ${required[*]}" >&2
  exit 1
fi
install_packages "$@"
if [ "${1-}" = --tests ]; then
  install_npm
  install_browser_driver
  install_python_packages
fi
