#!/usr/bin/env bash
# Installs system packages on Debian 12, Ubuntu 24.04 and similar distributions. Does nothing if all
# of them are installed. Asks no questions.
#
#   scripts/setup.sh            packages for building
#   scripts/setup.sh --tests    also packages for testing, including playwright-core from npm and
#                               packages from PyPI
#   scripts/setup.sh --tests-debian  as --tests, without the packages from npm and PyPI
#   scripts/setup.sh --fuzz     also packages for scripts/fuzz.sh
#   scripts/setup.sh --wheel    also packages for scripts/wheel.sh
#   scripts/setup.sh --deb      also packages for scripts/deb.sh
#   scripts/setup.sh --launchers  Open MPI and Slurm, for tests/collector/launch/launchers.sh
set -euo pipefail
cd "$(dirname "$0")/.."
required=(cmake g++ libcli11-dev libfmt-dev libsqlite3-dev libtomlplusplus-dev ninja-build nlohmann-json3-dev
  rapidjson-dev zlib1g-dev)
# mold makes builds faster. libdw reads lines for call stacks. protozero reads XProf's *.xplane.pb.
optional=(mold libdw-dev libbz2-dev liblzma-dev libprotozero-dev)
case ${1-} in
  "") ;;
  --tests | --tests-debian)
    required+=(catch2)
    # clang-format in the version that formats the sources, the library of tests/bench, and tools
    # that check results. The tools check JSON against its schema, Perfetto traces, pages and their
    # scripts, and pipelines.
    optional+=(clang-format-14 libbenchmark-dev python3-jsonschema python3-venv python3-yaml protobuf-compiler chromium nodejs)
    ;;
  # elfutils and SQLite are compiled from their packages' sources.
  --wheel) required+=(bison dpkg-dev flex gawk libprotozero-dev m4 make python3-venv tcl) ;;
  # All optional packages for building, and a tool that makes a fresh system for the installation.
  --deb)
    required+=(dpkg-dev file libbz2-dev libdw-dev liblzma-dev libprotozero-dev)
    optional+=(mmdebstrap)
    ;;
  --fuzz) optional+=(clang-19 libclang-rt-19-dev) ;;
  --launchers) optional+=(openmpi-bin slurm-wlm) ;;
  *)
    echo "usage: scripts/setup.sh [--tests | --tests-debian | --fuzz | --wheel | --deb | --launchers]" >&2
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

# Other builds of node include npm. Debian's npm has 355 packages, which are 11 MB packed and 88 MB
# unpacked. So it is installed only if there is a browser, because npm fetches the browser's driver.
install_npm() {
  has chromium || has google-chrome || [ -x "${LAPSCOPE_CHROMIUM:-}" ] || return 0
  if has node && ! has npm && may_install; then
    echo "setup: installing npm" >&2
    apt update || true
    install_optional npm
  fi
}

# Installs playwright-core in the version of tests/reports/html/package-lock.json, and checks it
# against the checksum in that file. A copy of the file shows later which version is installed.
install_browser_driver() {
  local folder=tests/reports/html owner=() npm_ci=(npm ci --ignore-scripts --no-audit --no-fund --prefer-offline)
  local lock=$folder/package-lock.json mark=$folder/node_modules/.installed-lock.json
  if ! has node || ! has npm || cmp -s "$lock" "$mark"; then return 0; fi
  echo "setup: installing what $lock names" >&2
  # With sudo, the owner of the sources also gets the installed files.
  [ "$(id -u)" -ne 0 ] || [ -z "${SUDO_USER:-}" ] || owner=(sudo -H -u "$SUDO_USER")
  # Without these options, npm would retry for more than a minute if there is no network.
  if "${owner[@]}" "${npm_ci[@]}" --fetch-retries=1 --fetch-retry-mintimeout=1000 --prefix "$folder" >/dev/null; then
    "${owner[@]}" cp "$lock" "$mark"
  else
    echo "setup: playwright-core could not be installed; tests of pages in a browser are skipped" >&2
  fi
}

# Makes a Python environment with the packages in tests/python/requirements.txt. A copy of that file
# shows later which packages are installed.
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
