"""Makes research/what-if-accuracy.md and the tables of docs/trust.md in Markdown, for accuracy.py."""
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


ERRORS = ["programs", "pairs", "median %", "lowest miss %", "highest miss %", "within 10 %"]


def write_side_by_side(before, known, out):
    """Returns rows with errors, the number of bands, and how many of them held. Recordings elsewhere have no earlier
    result."""
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


# For users. Programs to which nothing was fitted come first.
TRUST = [("programs by other authors, sealed until the model was done", ["opened"]),
         ("programs written after public reports, or by somebody who did not know the rules", ["elsewhere"]),
         ("CUDA programs that were kept aside from fitting the model", ["suite aside", "pairs aside"]),
         ("programs in PyTorch", ["frameworks"]),
         ("CUDA programs that the model was fitted to", ["suite", "pairs"]),
         ("CUDA programs on another GPU (H100)", ["h100"])]


def trust_tables(known):
    """Returns the tables of docs/trust.md, by the words in their marks."""
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
    return table(["predictions", "computed from programs", "pairs", "median error %", "lower end %", "upper end %",
                  "programs with this band", "held, left out %"], "l" + "r" * 7, rows)


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
    return table(["group", "program", "fix", "recorded", "predicted", "fixed, bare", "miss %", "band", "held, left out"],
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

*Recordings of 2026-11-21 to 25, H200 and H100. The predictions are computed anew whenever the analysis changes.*

- **Question.** lapscope prints a prediction with a range, the *band*. How far are predictions from the measured time?
  How often does the band contain the measured time?
- **Method.** Each program was recorded with a mistake. lapscope predicted its wall time without the mistake. Then the
  fixed program was measured.
- **Result for predictions.** The median error is {opened[2]} % for {opened[0]} programs that nobody had looked at during
  development. The median error is {aside[2]} % for {aside[0]} programs of the suite that were not used to fit the model.
- **Result for bands.** For each program, a band was computed from the errors of all other programs. The band contains
  the measured time for {100 * known.covered:.0f} % of {count} programs. The goal is 90 %.
- **What it changed.** lapscope computes its bands from these errors.

This command computes this page and the bands:

    tests/bench/accuracy.py LAPSCOPE --write

The [glossary](../docs/glossary.md) defines the terms of lapscope. This page also uses these terms:

- A **pair** is the recording of a program with a mistake, together with the measured time of the fixed program.
- The **measured time** is the median wall time of nine runs of the fixed program without a recorder. On an H100, the
  measured time is the median of two or three runs.
- The **prediction** is the wall time that `lapscope whatif --fix CODE` computes from the recording alone.
- A prediction has **two ends**, a shorter and a longer time, if the trace does not show how much kernels slow each
  other down.
- The **miss** is the difference between the nearer end and the measured time, in per cent of the measured time. If the
  measured time is between the two ends, the miss is 0.
- A **negative** miss means that the predicted time is shorter than the measured time.
- A band **holds** if it contains the measured time.
- The **evidence** is the set of programs from which lapscope computes the bands. The evidence contains no
  program that was used to make a rule ([numbers.md](../docs/numbers.md#rules) lists these programs).

## Errors

Each row of the table is a group of programs:

- **Median** is the median of the misses, without their signs.
- **Held, left out** is the share of programs whose band holds. The band of a program is computed without this program,
  from all others.

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
| H100 | the programs of the suite on two H100 80GB HBM3; the model was not fitted to these recordings |

Some rules of the model were changed by authors who already knew results of the group *elsewhere*. One program of the
group, `left-blocking`, is part of the evidence. Two thresholds of the rule for `launch-blocking` were removed by an
author who knew the result of `left-blocking`.

## Bands

A band should contain the measured time of nine of ten new programs. lapscope computes bands with a method of
statistics, *split-conformal prediction*. The method assumes that new programs are like the recorded ones. For each
program of the evidence, lapscope computes two residuals:

    lower residual = log(shorter end of the prediction / measured time)
    upper residual = log(measured time / longer end of the prediction)

lapscope sorts the lower residuals of all n programs. The residual at position 0.95 (n + 1) is the distance from the
prediction to the lower end of the band. The upper residuals give the upper end in the same way.

The table shows the bands, from specific to general kinds of predictions. Each band comes from at least 19 programs. For
a prediction, lapscope uses the first row that applies to the prediction. *Lower end* and *upper end* are relative
to the prediction. If a prediction has two ends, *lower end* refers to the shorter end, and *upper end* to the longer
end.

{bands_table(known)}
To check the bands, each program was left out once, together with its variants. The bands of the other programs hold for
{held_pairs} of {all_pairs} pairs. If each of the {count} programs has the same weight, this is a share of {100 * known.covered:.0f} %. A bad prediction was never a
reason to exclude a program from the evidence.

- **Other GPUs.** The evidence was measured on {' and '.join(known.gpus)}. For any other GPU, lapscope
  divides the lower end of a band by {known.other_gpu:.3f}, and multiplies the upper end by {known.other_gpu:.3f}. This factor comes from
  programs of the suite that ran on an H100 and on an H200. Each of these n programs has two differences between the two
  GPUs: one of the lower residuals, and one of the upper residuals. The larger of the two is the program's difference.
  The n differences of the programs are sorted. The difference at position 0.95 (n + 1) is the logarithm of the factor.
- **New programs.** Nobody had looked at the *sealed* programs until the model was finished. Earlier bands were
  computed without the sealed programs. They held for 70 % of the sealed programs. The bands on this page are computed
  from all programs of the evidence, including the sealed programs. Nobody has checked these bands on new programs yet.

## Pair by pair

Each row of the table is one pair. The table has no rows for the group "pairs, made with". Times are in ms:

- **Recorded** is the wall time of the recording. If the trace has a calibration, the table shows the
  corrected wall instead.
- **Fixed, bare** is the measured time.

{pairs_table(known)}
A fixed program already contains the fix. If lapscope predicts the time of a fixed program with this fix, the predicted
time should equal the recorded time. For {len(traces.again)} fixed programs of the suite, the two times differ by {100 * max(abs(change) for _, change in traces.again):.1f} % at most.

## Planted and found

Programs of the suite contain mistakes on purpose. The cause of such a mistake is the *planted* cause. The table
compares the planted cause with the first finding. If a trace has no finding, *asked* is followed by the code of the
first question.

{planted_table(traces.cases)}
A result is right if the first finding is the planted cause. If nothing is planted, a result without a finding is right.
On the H200, {right} of {len(traces.cases)} results are right. On the H100, {on_h100} of {len(traces.cases_on_h100)} are right. For four broken programs,
lapscope asks a question, because the trace does not show whether a fix is possible or useful.

## Every trace

The table has three checks of {len(traces.cases)} traces of the suite:

| check | result |
| --- | ---: |
| model check: median absolute error | {100 * median_of(blind):.2f} % |
| model check: largest error | {100 * max(blind, key=abs):+.2f} % |
| replay with the recorded durations: largest error | {100 * max(abs(one) for one in replays):.2f} % |
| largest share of the wall time without a cause (*unexplained*) | {100 * max(case["unexplained"] for case in traces.cases):.2f} % |

{len(traces.whole)} traces were also analyzed from the first op to the last. The next table shows the {len(beyond)} traces with more than
2 % of unexplained time, or with a replay that is more than 3 % off.

{table(["trace", "replay %", "unexplained %"], "lrr", [[name, f"{100 * replay:+.2f}", f"{100 * share:.2f}"] for name, replay, share in sorted(beyond)])}
In each of these {len(beyond)} traces, one or two ops started 0.27 to 2.4 ms late, although no other op ran. The process
had just begun to use the GPU at these times.
"""
