#!/usr/bin/env bash
# Records every variant of stream_pipeline on a real GPU and checks the traces. Compares the program's own times with
# and without the collector. Prints a table. Keeps the recording of median length of each variant.
#
#   tests/gpu/first_light.sh BUILD_DIR [OUT_DIR]
#
# Exit status: 0 if all figures are in their ranges, 1 if one is not, 77 without a GPU.
set -euo pipefail
build=${1:?usage: first_light.sh BUILD_DIR [OUT_DIR]}
out=${2:-$(mktemp -d)}
lapscope=$build/bin/lapscope
pipeline=$build/workloads/stream_pipeline
rounds=${ROUNDS:-5}
repeats=${REPEATS:-15}
mkdir -p "$out"

if ! "$pipeline" --tiles 3 --tile-mib 1 >/dev/null 2>"$out/probe.txt"; then
  echo "lapscope-skip: no usable GPU here: $(tail -n 1 "$out/probe.txt")"
  exit 77
fi

value() { awk -v key="$1" '{ for (i = 1; i < NF; ++i) if ($i == key) { print $(i + 1); exit } }'; }
median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
within() { awk -v x="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(low <= x && x <= high) }'; }

failed=0
judge() { # NAME VALUE LOW HIGH
  if within "$2" "$3" "$4"; then return; fi
  echo "out of range: $1 is $2, expected $3 to $4" >&2
  failed=1
}

printf '%-16s %14s %12s %12s %14s\n' variant overlap_ratio bare_ms recorded_ms difference_%
for variant in serial default-stream overlapped; do
  trace=$out/stream_pipeline-$variant.sqlite
  # On some hosts, the first pass over newly written memory takes up to a third longer. So the median recording is kept.
  for ((round = 0; round < rounds; ++round)); do
    "$lapscope" record -o "$out/round-$round.sqlite" -- "$pipeline" --variant "$variant" 2>/dev/null >"$out/round-$round.txt"
    echo "$(value wall_ms: <"$out/round-$round.txt") $round"
  done | sort -n >"$out/walls"
  kept=$(awk '{ v[NR] = $2 } END { print v[int((NR + 1) / 2)] }' "$out/walls")
  mv "$out/round-$kept.sqlite" "$trace"
  mv "$out/round-$kept.txt" "$out/$variant.txt"
  ratio=$("$lapscope" analyze -v "$trace" | tee "$out/$variant-analysis.txt" | value overlap_ratio)
  efficiency=$(value overlap_efficiency <"$out/$variant-analysis.txt")

  # Bare and recorded runs take turns, so that a drifting clock affects both equally.
  : >"$out/bare" && : >"$out/recorded"
  for ((round = 0; round < rounds; ++round)); do
    "$pipeline" --variant "$variant" --repeats "$repeats" | value wall_ms: >>"$out/bare"
    "$lapscope" record -o "$out/timing.sqlite" -- \
      "$pipeline" --variant "$variant" --repeats "$repeats" 2>/dev/null | value wall_ms: >>"$out/recorded"
  done
  bare=$(median <"$out/bare")
  recorded=$(median <"$out/recorded")
  difference=$(awk -v a="$bare" -v b="$recorded" 'BEGIN { printf "%.2f", 100 * (b - a) / a }')
  printf '%-16s %14s %12s %12s %14s\n' "$variant" "$ratio" "$bare" "$recorded" "$difference"
  judge "$variant difference_%" "$difference" -3 3
  case $variant in
    overlapped)
      # overlap_efficiency compares with the saving that the engines allow in this run. A link that slows one direction
      # during the other lowers overlap_ratio, but not overlap_efficiency.
      judge "$variant overlap_efficiency" "$efficiency" 0.9 1
      judge "$variant overlap_ratio" "$ratio" 0.55 0.667 # three engines: at most two thirds
      ;;
    *) judge "$variant overlap_ratio" "$ratio" -0.08 0 ;;
  esac
done
rm -f "$out"/{bare,recorded,walls,probe.txt,timing.sqlite} "$out"/round-*
exit "$failed"
