#!/usr/bin/env bash
# Runs the job of a pipeline: records a program or uses given traces, evaluates the gate, and
# collects all files that a CI system shows in one folder. action.yml and
# templates/lapscope-gate.yml call this script. It also runs elsewhere. It reads its settings from
# the environment, because pipelines can put any text there without quotes. Defaults are in
# parentheses:
#
#   LAPSCOPE_CI_PACKAGE        a wheel or a .deb to install first, or a requirement for pip
#                              (lapscope is on PATH)
#   LAPSCOPE_CI_COMMAND        the command to record, in bash syntax
#   LAPSCOPE_CI_RUNS           the number of recordings (3)
#   LAPSCOPE_CI_RECORD         options of `lapscope record`
#   LAPSCOPE_CI_TRACES         traces, instead of a command: names and patterns such as *.sqlite,
#                              separated by spaces
#   LAPSCOPE_CI_CONDITIONS     conditions and other options of `lapscope gate`; quote a value that
#                              has spaces
#   LAPSCOPE_CI_GATES          a gate file (lapscope.toml if there are no conditions)
#   LAPSCOPE_CI_BASELINE       a trace or a summary to compare with
#   LAPSCOPE_CI_INCONCLUSIVE   the effect of an inconclusive gate: fail or warn (fail)
#   LAPSCOPE_CI_NAME           the gate's name in the comment (overlap)
#   LAPSCOPE_CI_COMMENT        yes: keeps one comment of the pull request up to date, with gh and
#                              GH_TOKEN
#   LAPSCOPE_CI_OUT            the folder of results (lapscope-gate)
#
# Exit status: that of `lapscope gate`. 3 if nothing was recorded. If the program failed, its own
# status.
set -euo pipefail
say() { echo "lapscope-ci: $*" >&2; }
wrong() {
  say "$*"
  exit 2
}
for name in $(compgen -e LAPSCOPE_CI_); do
  case ${name#LAPSCOPE_CI_} in
    PACKAGE | COMMAND | RUNS | RECORD | TRACES | CONDITIONS | GATES | BASELINE | INCONCLUSIVE | NAME | COMMENT | OUT) ;;
    *) wrong "$name is no setting of scripts/ci_gate.sh" ;;
  esac
done
command=${LAPSCOPE_CI_COMMAND-} patterns=${LAPSCOPE_CI_TRACES-} runs=${LAPSCOPE_CI_RUNS:-3}
out=${LAPSCOPE_CI_OUT:-lapscope-gate} name=${LAPSCOPE_CI_NAME:-overlap}
if [ -z "$command$patterns${LAPSCOPE_CI_GATES-}" ]; then
  wrong "name a command to record (LAPSCOPE_CI_COMMAND), traces (LAPSCOPE_CI_TRACES), or a gate file that names traces (LAPSCOPE_CI_GATES)"
fi
[ -z "$command" ] || [ -z "$patterns" ] || wrong "name a command to record or traces, not both"
[[ $runs =~ ^[1-9][0-9]?$ ]] || wrong "LAPSCOPE_CI_RUNS is a number from 1 to 99, not '$runs'"
[[ $name =~ ^[A-Za-z0-9\ ._-]+$ ]] || wrong "LAPSCOPE_CI_NAME has letters, digits, spaces and ._- alone, not '$name'"
case ${LAPSCOPE_CI_INCONCLUSIVE:=fail} in fail | warn) ;; *) wrong "LAPSCOPE_CI_INCONCLUSIVE is fail or warn, not '$LAPSCOPE_CI_INCONCLUSIVE'" ;; esac

install_package() { # PACKAGE
  local root=()
  case $1 in
    *.deb)
      [ "$(id -u)" -eq 0 ] || root=(sudo)
      "${root[@]}" apt-get -qq install -y "$(realpath "$1")" >/dev/null
      ;;
    *)
      # A new one for each run: pip keeps an installed package of the same version. Later steps of
      # a GitHub job use it, too.
      environment=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/lapscope-environment.XXXXXX")
      if [ -n "${GITHUB_PATH-}" ]; then
        echo "$environment/bin" >>"$GITHUB_PATH"
      else
        trap 'rm -rf "$environment"' EXIT
      fi
      python3 -m venv "$environment"
      "$environment/bin/pip" -q --disable-pip-version-check install "$1"
      PATH=$environment/bin:$PATH
      ;;
  esac
}
[ -z "${LAPSCOPE_CI_PACKAGE-}" ] || install_package "$LAPSCOPE_CI_PACKAGE"
command -v lapscope >/dev/null || wrong "lapscope is not on PATH; install it, or name its wheel or .deb (LAPSCOPE_CI_PACKAGE)"

words_of() { # TEXT: puts its words into the array `words`; quotes work as in a shell, and no part of TEXT is run
  words=()
  [ -n "${1//[[:space:]]/}" ] || return 0
  local taken
  taken=$(mktemp)
  xargs printf '%s\0' <<<"$1" >"$taken" 2>/dev/null || wrong "a quote is not closed in: $1"
  mapfile -d '' -t words <"$taken"
  rm -f "$taken"
}
words_of "${LAPSCOPE_CI_RECORD-}" && record=("${words[@]}")
words_of "${LAPSCOPE_CI_CONDITIONS-}" && conditions=("${words[@]}")
[ -z "${LAPSCOPE_CI_GATES-}" ] || conditions+=(--config "$LAPSCOPE_CI_GATES")
[ -z "${LAPSCOPE_CI_BASELINE-}" ] || conditions+=(--baseline "$LAPSCOPE_CI_BASELINE")

traces=()
words_of "$patterns"
shopt -s nullglob
for pattern in "${words[@]}"; do
  if [ -e "$pattern" ]; then # a name that has brackets
    traces+=("$pattern")
    continue
  fi
  IFS= # keeps spaces in a pattern
  # shellcheck disable=SC2206
  found=($pattern)
  unset IFS
  [ ${#found[@]} -gt 0 ] && [ -e "${found[0]}" ] || wrong "there is no trace '$pattern'"
  traces+=("${found[@]}")
done

# Removes only results of an earlier run.
if [ -e "$out" ] && [ ! -e "$out/.lapscope-gate" ] && [ -n "$(ls -A "$out")" ]; then
  wrong "'$out' has other files; name an empty folder for the results (LAPSCOPE_CI_OUT)"
fi
for input in "${traces[@]}" "${LAPSCOPE_CI_GATES-}" "${LAPSCOPE_CI_BASELINE-}"; do
  [[ $(realpath -m "${input:-/}")/ != "$(realpath -m "$out")"/* ]] || wrong "'$input' is in the folder of results, which is made anew"
done
rm -rf "$out"
mkdir -p "$out"
touch "$out/.lapscope-gate"
if [ -n "$command" ]; then
  for run in $(seq "$runs"); do
    status=0
    lapscope record --require-trace "${record[@]}" -o "$out/run$run.sqlite" -- bash -c "$command" || status=$?
    if [ "$status" -ne 0 ]; then
      say "run $run of $runs ended with status $status; nothing was evaluated. \`lapscope doctor\` says what keeps this machine from recording."
      exit "$status"
    fi
    traces+=("$out/run$run.sqlite")
  done
fi

# The gate itself writes GitHub's annotations and summary.
status=0
lapscope gate "${traces[@]}" "${conditions[@]}" --write "junit=$out/gate.xml" --write "gitlab=$out/gl-code-quality-report.json" \
  --write "sarif=$out/gate.sarif" --write "json=$out/gate.json" --write "markdown=$out/gate.md" --write "text=$out/gate.txt" || status=$?
[ -s "$out/gate.md" ] || exit "$status"

# The page and the picture show the first run. A folder of ranks has no page.
{
  echo "<!-- lapscope-gate: $name -->"
  cat "$out/gate.md"
} >"$out/comment.md"
if [ -f "${traces[0]-}" ] && lapscope report "${traces[0]}" --format html,markdown,openmetrics -o "$out/page" 2>"$out/report.log"; then
  {
    echo
    cat "$out/page.md"
  } | tee -a "$out/comment.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
# GitHub accepts at most 65536 characters.
if [ "$(wc -c <"$out/comment.md")" -gt 60000 ]; then
  LC_ALL=C.UTF-8 # or the cut may be inside of a character
  whole=$(<"$out/comment.md")
  printf '%s\n\n</details>\n\nThe rest is in the results of the job.\n' "${whole:0:60000}" >"$out/comment.md"
fi

# Keeps one comment for each name. Finds the comment by its first line and changes it, or creates
# it. If the token may not comment, for example in a pull request from a fork, the job does not
# fail.
comment() {
  local pull='^refs/pull/([0-9]+)/' number id
  [[ ${GITHUB_REF-} =~ $pull ]] || { say "no comment: this is no run of a pull request"; return 0; }
  number=${BASH_REMATCH[1]}
  command -v gh >/dev/null || { say "no comment: gh is not installed"; return 0; }
  id=$(gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$number/comments" \
    --jq ".[] | select(.body | startswith(\"<!-- lapscope-gate: $name -->\")) | .id" | head -n 1) || id=none
  case $id in
    none) false ;;
    "") gh api --silent -X POST "repos/$GITHUB_REPOSITORY/issues/$number/comments" -F "body=@$out/comment.md" ;;
    *) gh api --silent -X PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$out/comment.md" ;;
  esac || say "no comment: gh could not write it; the job needs 'permissions: pull-requests: write'"
}
[ "${LAPSCOPE_CI_COMMENT-}" != yes ] || comment

if [ -n "${GITHUB_OUTPUT-}" ]; then
  verdict=$(sed -n 's/^  "verdict": "\(.*\)",$/\1/p' "$out/gate.json" | head -n 1)
  printf '%s\n' "verdict=$verdict" "folder=$out" >>"$GITHUB_OUTPUT"
fi
if [ "$status" -eq 3 ] && [ "$LAPSCOPE_CI_INCONCLUSIVE" = warn ]; then
  say "the gate is inconclusive, which was asked to be a warning"
  exit 0
fi
exit "$status"
