"""research/what-if-accuracy.md, and the tables of docs/trust.md, as Markdown: for accuracy.py."""
import statistics

import conformal


def median_of(values):
    return statistics.median(abs(value) for value in values)


SETS = [("suite, made with", "suite"), ("suite, kept aside", "suite aside"), ("pairs, made with", "pairs"),
        ("pairs, kept aside", "pairs aside"), ("frameworks", "frameworks"), ("CUDA samples", "outside"),
        ("elsewhere", "elsewhere"), ("sealed, opened", "opened"), ("H100: the suite", "h100")]


def rows_of(rows, group):
    return [row for row in rows if row.group == group or group == "h100" == row.group.partition(" ")[0]]


def errors_of(rows):
    misses = [conformal.miss(row) for row in rows]
    return [len({row.program for row in rows}), len(rows), f"{100 * median_of(misses):.1f}", f"{100 * min(misses):+.1f}",
            f"{100 * max(misses):+.1f}", sum(abs(one) <= 0.1 for one in misses)]


def table(head, aligned, rows):
    lines = [f"| {' | '.join(head)} |", "| " + " | ".join("---" if way == "l" else "---:" for way in aligned) + " |"]
    return "\n".join(lines + [f"| {' | '.join(map(str, row))} |" for row in rows]) + "\n"


ERRORS = ["programs", "pairs", "median %", "promised most too much %", "too little %", "within 10 %"]


def write_side_by_side(before, known, out):
    """Errors, how many have a band, and how many lie in it; of what is elsewhere there is no before."""
    rows = []
    for name, group in SETS:
        for word, some in (("before", rows_of(before, group)), ("after", rows_of(known.rows, group))):
            bands = [(row, row.band if word == "before" else conformal.band_of(row, known.groups, known.wider(row))[:2])
                     for row in some]
            banded = [(row, band) for row, band in bands if band]
            if some:
                rows.append([f"{name}: {word}", *errors_of(some), len(banded),
                             sum(band[0] <= row.measured <= band[1] for row, band in banded)])
    out.write(table(["pairs", *ERRORS, "with a band", "in it"], "l" + "r" * 8, rows))


def sets_table(known):
    held = {id(row): is_held for pairs in known.left_out.values() for row, is_held in pairs}
    rows = []
    for name, group in SETS:
        some = rows_of(known.rows, group)
        evidence = [row for row in some if id(row) in held]
        own = {program: [(row, held[id(row)]) for row in evidence if row.program == program] for program in
               {row.program for row in evidence}}
        rows.append([name, *errors_of(some), len(own) or "", len(evidence) or "",
                     f"{100 * conformal.covered(own):.0f}" if own else ""])
    return table(["pairs", *ERRORS, "programs of evidence", "their pairs", "held, left out %"], "l" + "r" * 9, rows)


# For users: what nothing was fitted to first.
TRUST = [("programs by other authors, sealed until the model was done", ["opened"]),
         ("programs written after public reports, or by somebody who did not know the rules", ["elsewhere"]),
         ("programs in PyTorch", ["frameworks"]),
         ("CUDA programs that were kept aside from fitting the model", ["suite aside", "pairs aside"]),
         ("CUDA programs that the model was fitted to", ["suite", "pairs"]),
         ("CUDA programs on another GPU (H100)", ["h100"])]


def trust_tables(known):
    """The tables of docs/trust.md, by the words behind their marks."""
    held = {id(row): is_held for pairs in known.left_out.values() for row, is_held in pairs}
    rows = []
    for name, groups in TRUST:
        some = [row for group in groups for row in rows_of(known.rows, group)]
        misses = [conformal.miss(row) for row in some]
        own = [held[id(row)] for row in some if id(row) in held]
        rows.append([name, len({row.program for row in some}), f"{100 * median_of(misses):.0f} %",
                     f"{sum(abs(one) <= 0.1 for one in misses)} of {len(some)}", f"{-100 * min(misses):.0f} %",
                     f"{sum(own)} of {len(own)}" if own else "no evidence"])
    groups = table(["programs", "how many", "median miss", "within 10 %", "promised too much, at worst", "bands held"],
                   "lrrrrr", rows)
    bands = table(["fix", "programs", "from", "to"], "lrrr",
                  [[band_name(group), group.programs, f"{100 * (group.low - 1):+.0f} %", f"{100 * (group.high - 1):+.0f} %"]
                   for group in known.groups])
    return {"programs": groups, "bands": bands}


WORDS = {"estimate": "all fixes that save at least 3 %, except `host-compute`",
         "saving": "all fixes that save at least 3 %", "any": "all fixes, whatever they save"}


def band_name(group):
    return WORDS.get(group.kind) or (f"`{group.fix}`" if group.fix else f"fixes on the {group.fixes}")


def bands_table(known):
    rows = []
    for group in known.groups:
        own = {program: [(row, is_held) for row, is_held in pairs if conformal.band_of(row, known.groups)[2] == group]
               for program, pairs in known.left_out.items()}
        own = {program: pairs for program, pairs in own.items() if pairs}
        rows.append([band_name(group), group.programs, group.pairs, f"{100 * group.median_error:.1f}",
                     f"{100 * (group.low - 1):+.1f}", f"{100 * (group.high - 1):+.1f}", len(own),
                     f"{100 * conformal.covered(own):.0f}" if own else ""])
    return table(["predictions", "made of programs", "pairs", "median error %", "from, of the shorter end %",
                  "to, of the longer end %", "programs that have it", "held, left out %"], "l" + "r" * 7, rows)


def pairs_table(known):
    held = {id(row): is_held for pairs in known.left_out.values() for row, is_held in pairs}
    rows = []
    for row in known.rows:
        if row.group == "pairs":
            continue
        ends = f"{row.far:.3f}" if row.near == row.far else f"{row.near:.3f} to {row.far:.3f}"
        low, high, _ = conformal.band_of(row, known.groups, known.wider(row))
        word = "" if id(row) not in held else "yes" if held[id(row)] else "**no**"
        name = row.program if row.group in ("elsewhere", "opened") else row.name.partition(":")[0]
        group = next(name for name, group in SETS if row in rows_of([row], group))
        rows.append([group, name, f"`{'`, `'.join(row.fixes)}`", f"{row.wall:.3f}", ends, f"{row.measured:.3f}",
                     f"{100 * conformal.miss(row):+.1f}", f"{low:.3f} to {high:.3f}", word])
    return table(["set", "program", "fix", "recorded", "predicted", "fixed, bare", "miss %", "band", "held, left out"],
                 "lllrrrrrl", rows)


def planted_table(cases):
    counts = {}
    for case in cases:
        found = case["first"] or (f"nothing; asked: {case['asked']}" if case["asked"] else "nothing")
        key = (case["planted"] or "nothing", found)
        counts[key] = counts.get(key, 0) + 1
    return table(["planted", "found first", "traces"], "llr",
                 [[planted, found if found == planted else f"**{found}**", count]
                  for (planted, found), count in sorted(counts.items())])


def page_of(known, traces):
    count = len(known.left_out)
    all_pairs = sum(len(pairs) for pairs in known.left_out.values())
    held_pairs = sum(is_held for pairs in known.left_out.values() for _, is_held in pairs)
    opened, aside = (errors_of(rows_of(known.rows, group)) for group in ("opened", "suite aside"))
    replays, blind = ([case[key] for case in traces.cases] for key in ("replay", "blind"))
    beyond = [(name, replay, share) for name, replay, share in traces.whole if share > 0.02 or abs(replay) > 0.03]
    right = sum(case["first"] == case["planted"] for case in traces.cases)
    on_h100 = sum(case["first"] == case["planted"] for case in traces.cases_on_h100)
    return f"""# How good the predictions are

*Recordings of 2026-11-21 to 25, H200 and H100; written anew whenever the analysis changes.*

- **Question.** How far are predictions from the measured wall time of the fixed program? How often does the *band*
  contain this time? The band is the range that lapscope prints with a prediction.
- **Method.** Each program was recorded with a mistake. From this recording, lapscope predicted the wall time without
  the mistake. The prediction was compared with the measured wall time of the fixed program.
- **Result for predictions.** The median error is {opened[2]} % for {opened[0]} programs that nobody had looked at during
  development. For {aside[0]} programs of the suite that were kept aside from fitting the model, the median error is {aside[2]} %.
- **Result for bands.** For each program, a band was computed from all other programs. The band contains the measured
  time for {100 * known.covered:.0f} % of {count} programs; the goal is 90 %.
- **What it changed.** lapscope computes its bands from these errors.

This command computes this page and the bands:

    tests/bench/accuracy.py LAPSCOPE --write

Terms of this page:

- A **pair** is the recording of a program with a mistake, together with the measured time of the fixed program.
- The **measured time** is the median wall time of nine runs of the fixed program without a recorder. On an H100, the
  measured time is the median of two or three runs.
- The **prediction** is the wall time that `lapscope whatif --fix CODE` computes from the recording alone.
- A prediction has **two ends**, a shorter and a longer time, if the trace does not show how much kernels slow each
  other down.
- The **miss** is the distance from the measured time to the nearer end, in per cent of the measured time. Between the
  two ends, the miss is 0.
- A prediction with a negative miss **promised too much**: the predicted time is shorter than the measured time.
- A band **holds** if it contains the measured time.
- The **evidence** is the set of programs from which lapscope computes the bands. The evidence contains no program that
  [numbers.md](../docs/numbers.md#rules) names for a rule.

## Errors

Each row of the table is a group of programs. *Median* is the median of the misses, without their signs. *Held, left
out* is the share of programs for which the band computed from all other programs holds.

{sets_table(known)}
| group | programs |
| --- | --- |
| suite | the programs of [stream_suite](stream-suite.md), on an H200 |
| pairs | [other programs](recorded-pairs.md), and programs of the suite with other kernels and sizes, on an H200 |
| made with | used to correct the model; do not show how good predictions for other programs are |
| kept aside | not used to fit the model, except for numbers that are older than 2026-11-22 |
| frameworks | PyTorch programs that were recorded with call stacks |
| CUDA samples | simpleMultiCopy of NVIDIA's samples |
| elsewhere | programs after public reports, and programs by an author who did not know the rules of the model |
| sealed, opened | programs that nobody had looked at until the model was done ([sealed-set.md](sealed-set.md)) |
| H100 | the programs of the suite on two H100 80GB HBM3; the model was not fitted again |

Some rules of the model were changed after results of the group *elsewhere* were known. One of these programs,
`left-blocking`, is part of the evidence. Its result was known when two thresholds of the rule for `launch-blocking`
were removed.

## Bands

A band should contain the measured time of nine of ten new programs. lapscope computes bands by split-conformal
prediction, which assumes that new programs are like the recorded ones. Each program of the evidence has two residuals:

    lower residual = log(shorter end of the prediction / measured time)
    upper residual = log(measured time / longer end of the prediction)

On each side, the band extends beyond the prediction by the residual of rank 0.95 (n + 1) among those of n programs. A
kind of prediction with fewer than 19 programs gets the band of the next wider kind.

{bands_table(known)}
With each program left out once, together with its variants, bands hold for {100 * known.covered:.0f} % of {count} programs ({held_pairs} of {all_pairs}
pairs). No program was left out of the table because its prediction missed.

On GPUs other than {' and '.join(known.gpus)}, both sides of a band are wider by a factor of {known.other_gpu:.3f}.
The residuals on the two GPUs differ by no more than this factor for 19 of 20 programs of the suite.

The *sealed* programs are those that nobody had looked at until the model was done. Earlier bands were computed without
the sealed programs, and held for 70 % of them. The bands on this page are computed with the sealed programs, and have
not been checked on new programs yet.

## Pair by pair

Each row of the table is a pair, with times in ms. The group *pairs, made with* is not listed.

*Recorded* is the wall time of the recording, minus the time that recording added if the trace has a calibration.
*Fixed, bare* is the measured time.

{pairs_table(known)}
lapscope also predicted {len(traces.again)} programs of the suite without a mistake, with the fix for their broken variants. The
predicted wall time differs from the recorded wall time by {100 * max(abs(change) for _, change in traces.again):.1f} % at most.

## Planted and found

A *planted* cause is a mistake that was written into a program of the suite on purpose. *Asked* is the first question
of a trace without a finding.

{planted_table(traces.cases)}
The first finding is the planted cause, or both are missing, for {right} of {len(traces.cases)} traces (H200) and {on_h100} of {len(traces.cases_on_h100)} (H100).
For four broken programs, lapscope asks a question, because the trace does not show whether a fix is possible or useful.

## Every trace

For {len(traces.cases)} traces of the suite, the model check has a median absolute error of {100 * median_of(blind):.2f} %, and a largest error of {100 * max(blind, key=abs):+.2f} %.

A *replay* with the recorded durations is at most {100 * max(abs(one) for one in replays):.2f} % off for these traces. At most {100 * max(case["unexplained"] for case in traces.cases):.2f} % of their wall time
has no cause.

{len(traces.whole)} traces were also analyzed from the first op to the last. The table shows the {len(beyond)} traces with more than 2 % of
unexplained time, or an error of the replay above 3 %.

{table(["trace", "replay %", "unexplained %"], "lrr", [[name, f"{100 * replay:+.2f}", f"{100 * share:.2f}"] for name, replay, share in sorted(beyond)])}
In each of these {len(beyond)} traces, issued work started 0.27 to 2.4 ms late once or twice, although no other work ran. The
processes had just begun to use the GPU.
"""
