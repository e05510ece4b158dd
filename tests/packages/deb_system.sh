#!/bin/sh
# The part of tests/packages/deb.sh that runs in the fresh system.
#
#   deb_system.sh ROOT FOLDER     FOLDER has Containerfile, whose command installs, deb/ and trace.sqlite
set -eu
root=$1
folder=$2
inside() { chroot "$root" env HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
# Names of all files, except those in which apt and dpkg record each installation.
files() {
  (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./var/log -o \
    -path ./var/lib/apt -o -path ./var/cache/apt \) -prune -o -print | grep -v '^\./var/lib/dpkg/.*-old$' | sort)
}
fail() {
  echo "FAILED: $*"
  exit 1
}

files >"$folder/before"
cp "$folder/trace.sqlite" "$root/tmp"
cp -r "$folder/deb" "$root/deb"
command=$(sed -n 's/^RUN --mount=type=bind,source=build\/deb,target=\/deb //p' "$folder/Containerfile")
[ -n "$command" ] || fail "the Containerfile installs nothing"
inside sh -c "$command" >"$folder/apt" 2>&1 || fail "it is not installed: $(cat "$folder/apt")"
rm -r "$root/deb"
echo "installed"
files >"$folder/with"

inside lapscope --version
inside lapscope analyze /tmp/trace.sqlite >"$folder/screen"
head -n 2 "$folder/screen"
grep -q default-stream-barrier "$folder/screen" || fail "analyze finds nothing: $(cat "$folder/screen")"
inside lapscope doctor >"$folder/doctor" || true
grep '^ok *collector' "$folder/doctor" || fail "doctor: $(cat "$folder/doctor")"
for part in bash-completion/completions/lapscope zsh/vendor-completions/_lapscope fish/vendor_completions.d/lapscope.fish \
  man/man1/lapscope.1.gz doc/lapscope/copyright lapscope/licenses/NOTICE lapscope/ci_gate.sh; do
  # Minimal systems do not install manual pages and similar files.
  inside dpkg -L lapscope | grep -qx "/usr/share/$part" || fail "the package has no $part"
done
ls "$root"/usr/lib/*/cmake/lapscope/lapscope-config.cmake >/dev/null || fail "no CMake package"
echo "has: $(comm -13 "$folder/before" "$folder/with" | wc -l) files and folders, $(inside dpkg-query -W -f='${Installed-Size}' lapscope) kB"
inside dpkg-query -W -f='depends: ${Depends}\n' lapscope

inside dpkg -P lapscope >/dev/null
files >"$folder/after"
diff "$folder/before" "$folder/after" || fail "removed, and what is above is left or missing"
echo "removed without a trace"
