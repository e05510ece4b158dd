#!/usr/bin/env bash
# Checks that the shells' completions and the manual page have every sub-command and option of the help, and that shells
# and the formatter accept them.
#
#   tests/cli/shell_files.sh LAPSCOPE FOLDER     FOLDER as lapscope_generate wrote it
set -euo pipefail
lapscope=$(realpath "${1:?usage: shell_files.sh LAPSCOPE FOLDER}")
share=$(realpath "${2:?usage: shell_files.sh LAPSCOPE FOLDER}")
bash=$share/bash-completion/completions/lapscope
zsh=$share/zsh/site-functions/_lapscope
fish=$share/fish/vendor_completions.d/lapscope.fish
manual=$share/man/man1/lapscope.1
failed=0
fail() {
  echo "$*"
  failed=1
}
lacks() { # FILE, TEXT: whether it is nowhere in the file, as a whole word
  ! grep -qE -- "(^|[^-a-z])$2([^-a-z]|\$)" "$1"
}

commands=$("$lapscope" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 8 ] || fail "help lists too few commands: $commands"
for command in "" $commands; do
  # shellcheck disable=SC2086
  options=$("$lapscope" $command --help | grep -oP '^  (-\w,)?\K--[a-z-]+(,--[a-z-]+)*' | tr , '\n')
  [ -n "$options" ] || fail "help of '$command' lists no option"
  for option in $options; do
    if [ -n "$command" ]; then
      names=$(sed -n "/^    $command)/,/;;/s/^      names=//p" "$bash")
      [[ " ${names//\'/ } " == *" $option "* ]] || fail "bash: $command $option is not completed"
    fi
    ! lacks "$zsh" "$option" || fail "zsh: $option is not completed"
    ! lacks "$fish" "-l ${option#--}" || fail "fish: $option is not completed"
    ! lacks "$manual" "${option//-/\\\\-}" || fail "the manual page lacks $option"
  done
  [ -z "$command" ] && continue
  ! lacks "$zsh" "'$command:" || fail "zsh: $command is not completed"
  ! lacks "$fish" "-a $command" || fail "fish: $command is not completed"
  grep -qx ".SS $command" "$manual" || fail "the manual page lacks $command"
done

bash -n "$bash" || fail "bash does not take its file"
completed() { # WORD...: the last is the one to complete; what bash offers, on one line
  bash --norc -c '
    source "$1"; shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _lapscope
    echo "${COMPREPLY[*]}"' _ "$bash" "$@"
}
expect() { # OFFERED, WORD...
  local offered
  offered=$(completed "${@:2}")
  [ "$offered" = "$1" ] || fail "bash offers '$offered' for '${*:2}', not '$1'"
}
expect "gate" lapscope ga
expect "record report" lapscope re
expect "--min-saving --min-saving-us" lapscope analyze --min-s
expect "text json markdown csv openmetrics folded folded-waits" lapscope analyze t.sqlite --format ""
expect "json" lapscope analyze t.sqlite --format = j
expect "text json markdown csv openmetrics folded folded-waits" lapscope analyze --format =
expect "never" lapscope analyze --color ne
expect "never" lapscope --color ne
expect "analyze" lapscope --color never ana
expect "--capture-range" lapscope record -o t.sqlite --ca
expect "" lapscope record ./app --ca   # the program's own
expect "" lapscope record -- ./app --ca
expect "" lapscope analyze t

installed() { # PROGRAM
  command -v "$1" >/dev/null || { echo "lapscope-skip: what $1 makes of its file: it is not installed" && false; }
}
if installed zsh; then zsh -n "$zsh" || fail "zsh does not take its file"; fi
if installed fish; then fish --no-execute "$fish" || fail "fish does not take its file"; fi
if installed groff; then
  warnings=$(groff -man -ww -Tutf8 -z "$manual" 2>&1)
  [ -z "$warnings" ] || fail "groff: $warnings"
  ! groff -man -Tutf8 "$manual" | grep -P '.{200}' || fail "the manual page has lines that are too long"
fi
exit $failed
