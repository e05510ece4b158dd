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

- **Question.** How far are predictions from the measured wall time of the fixed program? How often does the *band*
  contain this time? The band is the range that lapscope prints with a prediction.
- **Method.** Each program was recorded with a mistake. From this recording, lapscope predicted the wall time without
  the mistake. The prediction was compared with the measured wall time of the fixed program.
- **Result.** A band *holds* if it contains the measured time. Bands that were computed from all other programs hold for
  {100 * known.covered:.0f} % of {count} programs. The goal is 90 %. [Errors](#errors) has the errors of the predictions.
- **What it changed.** lapscope computes its bands from these errors.

This command computes this page and the bands in `analyzer/findings/recorded_accuracy.h` from recordings:

    tests/bench/accuracy.py LAPSCOPE --write

A test fails if this page or the bands differ from the results of the current analysis. [model.md](../docs/model.md)
explains how lapscope predicts.

Terms of this page:

- A **pair** is the recording of a program with a mistake, together with the measured time of the fixed program. A
  program may have several pairs.
- The **measured time** is the wall time of the fixed program without a recorder. It is the median of nine runs in three
  processes. For programs recorded on an H100, it is the median of two or three runs.
- The **prediction** is the wall time that `lapscope whatif --fix CODE` computes from the recording alone. It is for one
  NVTX range of the program, on the GPU that took longest.
- A prediction has **two ends**, a shorter time and a longer time, if the trace does not show how much kernels slow each
  other down ([hardware.md](../docs/hardware.md#kernels-beside-each-other)).
- The **miss** is the distance from the measured time to the prediction, in per cent of the measured time. If the
  prediction has two ends, the nearer end counts. The miss is 0 if the measured time lies between the two ends.
- A negative miss means that the prediction **promised too much**: the predicted time is shorter than the measured time.
  A positive miss means that the prediction promised too little.

## Errors

Each row of the table is a group of programs. The list below the table explains the groups.

- *Median* is the median of the misses, without their signs. *Promised most too much* and *too little* are the extreme
  misses on either side.
- For each program of the *evidence* (defined below the table), a band was computed from all other programs. *Held, left
  out* is the share of programs for which this band holds.

{sets_table(known)}
The groups in the first column:

- The group **suite** has the programs of [stream_suite](stream-suite.md), recorded on an H200.
- The group **pairs** has programs of the suite with other kernels and sizes, and other programs. They were also
  recorded on an H200 ([recorded-pairs.md](recorded-pairs.md)).
- Programs marked **made with** were used to make the model. If a prediction for one of them missed, rules and numbers
  of the model were corrected. These programs therefore do not show how good predictions for other programs are.
- The model was not fitted to programs marked **kept aside**, except for numbers that are older than 2026-11-22. A
  hash of the name of a program decides whether it is kept aside (`scripts/trace_catalogue.py`).
- The group **frameworks** has PyTorch programs that were recorded with call stacks.
- The group **CUDA samples** has the program simpleMultiCopy of NVIDIA's samples.
- The group **elsewhere** has programs that follow public reports, and programs by an author who did not know the rules
  of the model (`tests/gpu/programs/independent`). They were not kept aside: rules were changed with some of their
  recordings in view.
- The group **sealed, opened** has programs that nobody had looked at until the model was done
  ([sealed-set.md](sealed-set.md)).
- The group **H100** has the programs of the suite, recorded on two H100 80GB HBM3. The model was not fitted
  again to this group.

The **evidence** is the set of programs from which the bands are computed. It consists of the programs kept aside, and
the groups frameworks, CUDA samples, elsewhere and sealed. It does not contain programs that were used to make a rule of
the model ([numbers.md](../docs/numbers.md#rules), column *made with*).

One program of the evidence, `left-blocking`, influenced a rule: two thresholds of the rule for `launch-blocking` were
removed with this program in view.

The recordings of the group elsewhere are not kept, only their figures and SHA-256 (`tests/traces/elsewhere.json`). To
predict these programs again from a folder with the recordings, use `--elsewhere FOLDER`.

## Bands

A band should contain the measured time of nine of ten new programs. lapscope computes bands from earlier errors by
split-conformal prediction. Each program of the evidence has two residuals, one for each side of the band:

    lower residual = log(shorter end of the prediction / measured time)
    upper residual = log(measured time / longer end of the prediction)

- On each side, the band extends beyond the prediction by one of these residuals: the residual of rank 0.95 (n + 1)
  among the residuals of n programs.
- Split-conformal prediction assumes that new programs are like the recorded ones. It assumes nothing else about the
  residuals.
- All variants of a program together count as one program.
- A kind of prediction with fewer than 19 programs has no band of its own, because so few programs have no residual of
  this rank. lapscope then uses the band of the next wider kind.

Each row of the table is a kind of prediction, from the narrowest to the widest kind.

- *From* is the lower limit of the band, relative to the shorter end of the prediction. *To* is the upper limit,
  relative to the longer end.
- *Programs that have it* is the number of programs of the evidence that use the band of this row.

{bands_table(known)}
- The table does not leave out a program because its prediction missed.
- The lower limit in the last row is far below the prediction. This row includes programs for which the predicted saving
  is too small for a finding (`least_saving`). Some of these programs nevertheless became much faster, because their
  author's fix helped in another way.
- The prediction for `host-compute` is an *upper bound* of the saving, because it assumes that another thread does the
  host work at no cost.
- To check the bands, each program was left out once, with all its variants. Bands computed from the other programs hold
  for {100 * known.covered:.0f} % of {count} programs, and for {held_pairs} of {all_pairs} pairs.
- In this check, the band does not hold for the following pairs. The figure behind each program is the miss of its
  prediction.
  {', '.join(missed) or 'none'}.
- On GPUs other than {' and '.join(known.gpus)}, both sides of a band are wider by a factor of {known.other_gpu:.3f}.
  For 19 of 20 programs of the suite, the residuals on the H200 and the H100 differ by no more than this factor.
- This factor also contains the difference between the hosts of the two GPUs, and the effect of the calibration, which
  only the recordings on the H100 have.
- lapscope prints no band for a prediction with a faster engine, or with a fix at one call site alone. No program was
  recorded with such a change.

Earlier bands were computed without the sealed programs, and held for 70 % of these programs
([sealed-set.md](sealed-set.md)). The bands on this page are computed with the sealed programs as well. They have not
been checked on other programs yet.

## Pair by pair

Each row of the table is a pair. All times are in ms. The pairs of *pairs, made with* are left out.

- *Recorded* is the wall time of the recording. The time that recording added is subtracted if the trace has a
  calibration.
- *Fixed, bare* is the measured time.
- *Band* is the band that lapscope prints.
- *Held, left out* says whether the band computed from all other programs holds. Only programs of the evidence have an
  entry.
- The row of `queue-alias-fixed` predicts the opposite change, from the fixed program to the broken one. Its fix
  `queue-alias:8` reduces the number of hardware queues to eight.

{pairs_table(known)}
lapscope also predicted {len(traces.again)} programs of the suite that have no mistake, with the fix for the mistake of their broken
variant. The predicted wall time differs from the recorded wall time by {100 * max(abs(change) for _, change in traces.again):.1f} % at most.

## Planted and found

A *planted* cause is a mistake that was written into a program of the suite on purpose. For a program with a planted
cause, the result is right if the first finding is this cause. For a program without one, the result is right if there
is no finding.

The result is right for {right} of {len(traces.cases)} traces of the suite on the H200, and for {on_h100} of {len(traces.cases_on_h100)} traces on the H100.

In four broken programs, the trace does not show whether the fix is possible or useful. For such a program, lapscope
asks a question instead of reporting a finding ([model.md](../docs/model.md#edit)).

- In three of these four programs, an op may need the result of another op. One program has a graph of kernels, one has
  a kernel that combines results, and one has a kernel behind an all-reduce.
- In the fourth program, `sm-filling-kernels`, concurrent kernels may slow each other down.

The table compares the planted cause with the first finding. *Asked* is the first question of a trace without a finding.

{planted_table(traces.cases)}
## Every trace

The *blind replay* is lapscope's model check: it simulates the unchanged program with typical durations of ops and calls
([model.md](../docs/model.md#run)). For {len(traces.cases)} traces of the suite, its median absolute error is {100 * median_of(blind):.2f} %, and its largest
error is {100 * max(blind, key=abs):+.2f} %.

The *replay* simulates the unchanged program with the recorded durations. In these traces of the suite, its error is
{100 * max(abs(one) for one in replays):.2f} % at most. The largest share of the wall time that no cause explains is {100 * max(case["unexplained"] for case in traces.cases):.2f} %.

{len(traces.whole)} traces, including traces outside the suite, were also analyzed from the first op to the last. In {len(beyond)} of them, more
than 2 % of the time is unexplained, or the error of the replay is above 3 %. The table shows these traces.

In each trace of the table, the GPU pauses once or twice, and no record explains why. Work had been issued and no other
work ran, but the issued work started only 0.27 to 2.4 ms later. The processes had just begun to use the GPU.

{table(["trace", "replay %", "unexplained %"], "lrr", [[name, f"{100 * replay:+.2f}", f"{100 * share:.2f}"] for name, replay, share in sorted(beyond)])}"""
