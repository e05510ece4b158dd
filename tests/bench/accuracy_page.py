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

- **Question.** How far do predictions miss what programs take with the fix, and do their bands hold?
- **Method.** Each recording with a mistake is predicted without it, and compared with bare runs of the fixed program.
- **Result.** [Errors](#errors) by group of programs. Each left out in turn, bands hold for {100 * known.covered:.0f} % of {count} programs; the goal is 90 %.
- **What it changed.** These errors are the bands that lapscope prints.

    tests/bench/accuracy.py LAPSCOPE --write

writes this page and the bands that lapscope knows (`analyzer/findings/recorded_accuracy.h`) from recorded programs, and a test holds
both to what the analysis says today. [model.md](../docs/model.md) explains the model and what it leaves out.

A pair is a program that was recorded with a mistake, and the wall time that it takes without the mistake and without a recorder: the
median of 9 runs in three processes that took turns with those of the other variants. Predicted is what `lapscope whatif --fix CODE` says of
the recording alone, in the NVTX range of the case, on the GPU that took longest. Where the trace does not show what kernels share, a
prediction has two ends ([hardware.md](../docs/hardware.md#kernels-beside-each-other)). It misses by what the nearer end is off, as a part of what was
measured, and not at all between the two: − promised too much, + too little.

## Errors

{sets_table(known)}
- **suite** are programs of [stream_suite](stream-suite.md), **pairs** the same and others with other kernels and sizes
  ([recorded-pairs.md](recorded-pairs.md)); H200. The model was made with those that are not kept aside: rules and constants were mended where
  they missed, so that their errors say nothing of others.
- **Kept aside** is what has a name of which the FNV-1a hash (64 bits) is a multiple of 3. Nobody chooses them, and nothing is fitted to
  them. `scripts/trace_catalogue.py` has the rule, which is of 2026-11-22: constants that are older were chosen with all in view.
- **frameworks** are PyTorch programs with call stacks, **elsewhere** programs after public reports and by someone
  who did not know the rules (`tests/gpu/programs/independent`). Of the latter two only figures are kept
  (`tests/traces/elsewhere.json`); `--elsewhere FOLDER` predicts them anew where the recordings are, and their SHA-256 says that they are the same.
  They were not kept aside: once recorded they were looked at, and rules were changed with some in view. Those that a rule names are no evidence;
  `left-blocking` still is, although the rule of `launch-blocking` lost its two thresholds with it at hand.
- **sealed, opened** are programs that nobody had looked at until the model was done. [sealed-set.md](sealed-set.md) has what it was worth
  on them, with the bands of that day. Since then they are evidence like the others.
- **H100** are the same programs as the suite, recorded and measured on two H100 80GB HBM3, with nothing chosen anew.
- **Evidence** is what is kept aside, frameworks, samples, elsewhere and opened, but for programs that a rule names
  ([numbers.md](../docs/numbers.md#rules), *made with*).

## Bands

A band says between what and what the program with the fix takes, as nine of ten programs like it did. It is split-conformal: on
each side it reaches out to the residual of rank 0.95 (n + 1) of n programs, log(near / measured) below and log(measured / far) above, so
that promising too much and too little are distinguished, and so that it holds for nine of ten new programs whatever residuals are
distributed like, if these are like the new ones. Programs count once, with all their variants. Fewer than 19 programs have no such
rank; the next wider kind of predictions that has as many is taken:

{bands_table(known)}
- Nothing is left out for what it misses by. A prediction that saves less than a finding must (`least_saving`) says that the fix is
  not what the program needs; such programs gained up to three quarters in another way, and the band says so.
- `host-compute` takes away work of the host as if another thread had it for nothing: a limit, which is shown as *upper bound*.
- A saving is *measured* where the band is below the unchanged run. Where it is not, it is *unsure* whether the fix saves anything.
- Each program left out in turn, with all its variants, bands of the others hold for {100 * known.covered:.0f} % of {count} programs and for
  {held_pairs} of {all_pairs} pairs; the goal is 90 %. They miss {', '.join(missed) or 'none'}.
- On a GPU that is none of {', '.join(known.gpus)}, both sides are wider by a factor of {known.other_gpu:.3f}: the residuals of the suite differed by no more
  between H200 and H100 for 19 of 20 programs. That includes the host, which was another one, and what a calibration takes off, which
  those of the H200 do not have.
- No band is for an engine that is faster, and for a fix at one call site alone: no program was recorded with that.

Bands that were made without the sealed set held for 70 % of it ([sealed-set.md](sealed-set.md)). Those above were made with it, and no
program checks them from outside.

## Pair by pair

In ms. A step from fixed to broken has a row only where a fix has a number that can be less (`queue-alias:8`). *Recorded* is without
the recorder's own time where a calibration is in the trace (H100, elsewhere). The band is the one that lapscope prints; *held* is whether the one
that all other programs make holds, of what is evidence.

{pairs_table(known)}
Every program of the suite without a planted mistake was asked for the fix of its case once more: what it takes changes by {100 * max(abs(change) for _, change in traces.again):.1f} % at
most, of {len(traces.again)}.

## Planted and found

{right} of {len(traces.cases)} traces of the suite are evaluated as planted on the H200, and {on_h100} of {len(traces.cases_on_h100)} on the H100. Of three broken ones no trace shows that it is one: the
kernels of a graph, a kernel and the one that combines results, and an all-reduce and the kernel behind it may need each other. Of a
fourth, `sm-filling-kernels`, no trace shows that kernels beside each other do not slow each other down. What they would save is asked, not
found ([model.md](../docs/model.md#edit)).

{planted_table(traces.cases)}
## Every trace

Over {len(traces.cases)} traces of the suite the median of |[blind replay](../docs/model.md#run) error| is {100 * median_of(blind):.2f} %, the worst {100 * max(blind, key=abs):+.2f} %. The replay that puts back
what each op was seen to take is off by {100 * max(abs(one) for one in replays):.2f} % at most. The largest share of the time that no cause explains is {100 * max(case["unexplained"] for case in traces.cases):.2f} %.

From the first operation to the last, {len(traces.whole)} traces, those beside the catalogue too: of {len(beyond)} more than 2 % is not explained, or the replay
is more than 3 % off. Each has one or two pauses of the GPU that nothing in the trace accounts for: work was issued, no other work ran, and it
started 0.27 to 2.4 ms later, in processes that had just begun to use the GPU.

{table(["trace", "replay %", "unexplained %"], "lrr", [[name, f"{100 * replay:+.2f}", f"{100 * share:.2f}"] for name, replay, share in sorted(beyond)])}"""
