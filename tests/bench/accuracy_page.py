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
    missed = [f"{row.program} ({100 * conformal.miss(row):+.0f} %)" for pairs in known.left_out.values()
              for row, is_held in pairs if not is_held]
    count = len(known.left_out)
    all_pairs = sum(len(pairs) for pairs in known.left_out.values())
    held_pairs = sum(is_held for pairs in known.left_out.values() for _, is_held in pairs)
    replays, blind = ([case[key] for case in traces.cases] for key in ("replay", "blind"))
    beyond = [(name, replay, share) for name, replay, share in traces.whole if share > 0.02 or abs(replay) > 0.03]
    right = sum(case["first"] == case["planted"] for case in traces.cases)
    on_h100 = sum(case["first"] == case["planted"] for case in traces.cases_on_h100)
    return f"""# How good the predictions are

*Recordings of 2026-11-21 to 25, H200 and H100; written anew whenever the analysis changes.*

- **Question.** How far are predictions from the measured time with the fix? Does the measured time lie in the band of
  the prediction? The *band* is the range that lapscope prints with a prediction.
- **Method.** lapscope predicts the wall time of a recorded program without its mistake. The prediction is compared
  with the measured wall time of the fixed program.
- **Result.** The tables below show the [errors](#errors) of each group of programs. A band *holds* if it contains the
  measured time. Each program was left out once, and the bands were computed from the other programs. They hold for
  {100 * known.covered:.0f} % of {count} programs. The goal is 90 %.
- **What it changed.** lapscope computes its bands from these errors.

This command writes this page and the bands in `analyzer/findings/recorded_accuracy.h` from recorded programs:

    tests/bench/accuracy.py LAPSCOPE --write

A test fails if the page or the bands differ from the results of the current analysis. [model.md](../docs/model.md)
explains the model and its limits.

Terms of this page:

- A **pair** consists of the recording of a program with a mistake, and the measured time of the program without it.
- The **measured time** is the wall time of the fixed program without a recorder. It is the median of 9 runs in three
  processes, which took turns with those of the other variants of the program. For programs recorded on an H100, it is
  the median of two or three runs.
- The **prediction** is the result of `lapscope whatif --fix CODE` for the recording alone. It is for the NVTX range
  of the program, on the GPU that took longest.
- A prediction has **two ends** if the trace does not show how much kernels slow each other down
  ([hardware.md](../docs/hardware.md#kernels-beside-each-other)).
- The **miss** is the distance from the measured time to the nearer end, as a share of the measured time. The miss is
  0 if the measured time lies between the two ends. A negative miss means that the prediction promised too much. A
  positive miss means that it promised too little.

## Errors

{sets_table(known)}
The groups in the first column:

- **suite** has the programs of [stream_suite](stream-suite.md), recorded on an H200.
- **pairs** has the same and other programs with other kernels and sizes, also recorded on an H200
  ([recorded-pairs.md](recorded-pairs.md)).
- **made with** marks programs that the model was made with. If a prediction for one of them missed, rules and
  constants of the model were corrected. The errors of these programs therefore say nothing about other programs.
- **kept aside** marks programs that nothing is fitted to. Nobody chooses them: a program is kept aside if the FNV-1a
  hash (64 bits) of its name is a multiple of 3. `scripts/trace_catalogue.py` has this rule, which dates from
  2026-11-22. Older constants of the model were chosen with all programs in view.
- **frameworks** has PyTorch programs that were recorded with call stacks.
- **elsewhere** has programs written after public reports, and programs by somebody who did not know the rules of the
  model (`tests/gpu/programs/independent`). They were not kept aside: rules were changed with some of the recordings
  in view. The recordings are not kept, only their figures and SHA-256 (`tests/traces/elsewhere.json`). To predict
  them again from a folder with the recordings, use `--elsewhere FOLDER`.
- **sealed, opened** has programs that nobody had looked at until the model was done. [sealed-set.md](sealed-set.md)
  has the results with the bands of that day. Since then, these programs are evidence like the others.
- **H100** has the programs of the suite on two H100 80GB HBM3. Nothing in the model was chosen again for them.

The bands are computed from the **evidence**: the programs kept aside, and the groups frameworks, CUDA samples,
elsewhere and sealed, except programs that a rule of the model names ([numbers.md](../docs/numbers.md#rules), column
*made with*). `left-blocking` of the group elsewhere is part of the evidence, although the rule for `launch-blocking`
lost its two thresholds with this program in view.

The last column of the table is a share of the evidence: the programs for which the band computed from all other
programs holds.

## Bands

A band should contain the measured time of nine of ten new programs. It is computed by split-conformal prediction:

- The residual of a program is log(near / measured) on the lower side, and log(measured / far) on the upper side.
  *Near* is the shorter end of the prediction, and *far* the longer end.
- On each side, the band extends beyond the end of the prediction by the residual of rank 0.95 (n + 1) of n programs.
  The two sides are separate, because promising too much differs from promising too little.
- The method assumes that new programs are like the recorded ones. It assumes nothing else about the distribution of
  residuals.
- A program counts once, together with all its variants.
- A band needs at least 19 programs, because fewer have no such rank. If a kind of prediction has fewer programs, the
  band of the next wider kind is used.

Each row of the table is a kind of prediction, the narrowest first. The columns *from* and *to* are the limits of the
band, relative to the shorter and the longer end of the prediction. *Programs that have it* counts the programs of the
evidence that use the band of this row.

{bands_table(known)}
- No program was left out because its prediction missed.
- If a prediction saves less than a finding must save (`least_saving`), it says that the program does not need this
  fix. Some of these programs nevertheless became much faster, because their author's fix helped in another way. The
  lower limit in the last row is therefore far below the prediction.
- The prediction for `host-compute` is an *upper bound*: it removes host work as if another thread did it at no cost.
- A saving is *measured* if the whole band is below the wall time of the unchanged run, and otherwise *unsure*.
- Each program was left out once, with all its variants. The bands computed from the other programs hold for
  {100 * known.covered:.0f} % of {count} programs, and for {held_pairs} of {all_pairs} pairs. The goal is 90 %.
- These bands do not hold for the following pairs. The figure is the miss of the prediction.
  {', '.join(missed) or 'none'}.
- On GPUs other than {', '.join(known.gpus)}, both sides of a band are wider by a factor of {known.other_gpu:.3f}.
  For 19 of 20 programs of the suite, the residuals on the H200 and the H100 differed by no more than this factor.
  This factor also contains the difference between the two hosts. It contains
  the effect of the calibration, too, because only the suite's recordings on the H100 have one.
- A prediction for a faster engine has no band, and neither has a prediction for a fix at one call site alone. No
  program was recorded with such a change.

Earlier bands were computed without the sealed programs, and held for 70 % of them ([sealed-set.md](sealed-set.md)).
The bands above were computed with the sealed programs as well. No other programs have checked these bands yet.

## Pair by pair

All times are in ms.

- *Recorded* is the recorded wall time. The recorder's own time is subtracted if the trace has a calibration.
- *Band* is the band that lapscope prints. *Held, left out* says whether the band computed from all other programs
  holds. It is for programs of the evidence only.
- The row of `queue-alias-fixed` predicts in the other direction, from the fixed to the broken program:
  `queue-alias:8` reduces the number of hardware queues to eight. Only a fix with such a number can be predicted in
  this direction.

{pairs_table(known)}
The fix of its case was also predicted for {len(traces.again)} programs of the suite that have no planted mistake. The
predicted wall time differs from the recorded wall time by {100 * max(abs(change) for _, change in traces.again):.1f} % at most.

## Planted and found

A *planted* cause is a mistake that was written into a program of the suite on purpose.

On the H200, the result agrees with the planted cause in {right} of {len(traces.cases)} traces of the suite. On the H100, it
agrees in {on_h100} of {len(traces.cases_on_h100)}. For a program without a planted cause, the result agrees if there is no finding.

In four broken programs, the trace does not show whether the fix is possible or useful. lapscope then asks a question,
and reports no finding ([model.md](../docs/model.md#edit)).

- In three of these programs, the ops may need each other's results: the kernels of a graph, a kernel and the kernel
  that combines results, and an all-reduce and the kernel behind it.
- In `sm-filling-kernels`, concurrent kernels may slow each other down.

The table compares the planted cause with the first finding. *Asked* is the first question, where there is no finding.

{planted_table(traces.cases)}
## Every trace

A *replay* simulates the unchanged program. The *blind replay* is the model check: it uses typical durations of ops
and calls instead of the recorded ones.

For {len(traces.cases)} traces of the suite, the median absolute error of the [blind replay](../docs/model.md#run)
is {100 * median_of(blind):.2f} %, and the largest error is {100 * max(blind, key=abs):+.2f} %. The error of the replay with
recorded durations is {100 * max(abs(one) for one in replays):.2f} % at most. The largest share of the time that no cause explains is
{100 * max(case["unexplained"] for case in traces.cases):.2f} %.

{len(traces.whole)} traces were also analyzed as a whole, from the first op to the last. They include traces outside the
catalogue of the suite. In {len(beyond)} of them, more than 2 % of the time is unexplained, or the error of the replay is above 3 %.

Each of these traces has one or two pauses of the GPU that no record explains. In such a pause, work had been issued
and no other work ran, but the issued work started only 0.27 to 2.4 ms later. The processes had just begun to use the
GPU.

{table(["trace", "replay %", "unexplained %"], "lrr", [[name, f"{100 * replay:+.2f}", f"{100 * share:.2f}"] for name, replay, share in sorted(beyond)])}"""
