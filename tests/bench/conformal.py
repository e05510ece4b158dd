"""Bands around predictions, from the residuals of recorded programs that did not shape the model (split-conformal).

A prediction has two ends, near and far. `measured` is the time of the fixed program. There are two residuals: log(near
/ measured) is positive if the fix saves more than predicted, and log(measured / far) if it saves less. On each side, a
band reaches to the residual of rank 0.95 (n + 1) of n similar programs. So nine of ten new programs like these lie
between both sides, whatever the distribution of residuals is. Fewer than 19 programs have no such rank. Variants of a
program are no new evidence, so each pair counts as a part of its program.
"""
import collections
import math

LEVEL = 0.95  # on each side
LEAST_SAVING = 0.03  # assumed::least_saving
HOST = {"host-sync", "pageable-copy", "alloc-free", "host-pinning", "module-load", "launch-blocking", "launch-overhead",
        "host-call", "lock", "profiler"}
WORK = {"host-compute"}

# kind, fix, fixes: as in Residuals of analyzer/findings/validity.h. low, high: factors.
Group = collections.namedtuple("Group", "kind fix fixes programs pairs median_error low high")


def class_of(fixes):
    codes = {fix.partition(":")[0] for fix in fixes}
    return "work" if codes & WORK else "host" if codes & HOST else "device"


def saves_little(row):
    return row.near > (1 - LEAST_SAVING) * row.replay


def is_like(row, kind, fix, fixes):
    if kind == "any":
        return True
    if saves_little(row):
        return False
    if kind == "fix":
        return len(row.fixes) == 1 and row.fixes[0].partition(":")[0] == fix
    if kind == "fix_class":
        return class_of(row.fixes) == fixes
    return kind == "saving" or class_of(row.fixes) != "work"


def too_little(row):
    return math.log(row.near / row.measured)


def too_much(row):
    return math.log(row.measured / row.far)


def miss(row):
    """Returns the error from the nearer end, as a share of the measured time, or 0 between the two ends."""
    return max(row.near / row.measured - 1, 0) + min(row.far / row.measured - 1, 0)


def quantile(by_program, level=LEVEL):
    """Returns the score of rank ceil(level * (n + 1)) for n programs with one score each. If a program has several
    scores, they share its weight of 1 equally."""
    wanted = level * (len(by_program) + 1)
    weights = sorted((score, 1 / len(scores)) for scores in by_program.values() for score in scores)
    so_far = 0.0
    for score, weight in weights:
        so_far += weight
        if so_far >= wanted - 1e-9:
            return score
    return math.inf


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def of_program(rows, score):
    scores = collections.defaultdict(list)
    for row in rows:
        scores[row.program].append(score(row))
    return scores


def group_of(rows, kind, fix="", fixes="host"):
    """Returns the band for predictions of this kind, or None if too few rows are of this kind. The band contains both
    ends of the prediction."""
    some = [row for row in rows if is_like(row, kind, fix, fixes)]
    low, high = (quantile(of_program(some, score)) for score in (too_little, too_much))
    if max(low, high) == math.inf:
        return None
    return Group(kind, fix, fixes, len({row.program for row in some}), len(some),
                 math.ceil(1e4 * median(abs(miss(row)) for row in some)) / 1e4,
                 math.floor(1e4 * math.exp(-max(low, 0))) / 1e4, math.ceil(1e4 * math.exp(max(high, 0))) / 1e4)


def groups_of(rows):
    """Returns all groups. The most specific come first."""
    codes = sorted({row.fixes[0].partition(":")[0] for row in rows if len(row.fixes) == 1})
    wanted = [("fix", code, class_of([code])) for code in codes]
    wanted += [("fix_class", "", fixes) for fixes in ("host", "device", "work")]
    wanted += [("estimate",), ("saving",), ("any",)]
    return [group for group in (group_of(rows, *one) for one in wanted) if group]


def band_of(row, groups, wider=1):
    """Returns (low, high) of the band, and its group. The unit is that of the row."""
    group = next(one for one in groups if is_like(row, one.kind, one.fix, one.fixes))
    return row.near * group.low / wider, row.far * group.high * wider, group


def is_held(row, groups, wider=1):
    low, high, _ = band_of(row, groups, wider)
    return low <= row.measured <= high


def left_out(rows):
    """Returns, by program, its rows, each with whether the band from all other programs holds."""
    result = {}
    for program in sorted({row.program for row in rows}):
        groups = groups_of([row for row in rows if row.program != program])
        result[program] = [(row, is_held(row, groups)) for row in rows if row.program == program]
    return result


def covered(by_program):
    """Returns the share of bands that hold. Each program has the same weight."""
    parts = [sum(held for _, held in pairs) / len(pairs) for pairs in by_program.values()]
    return sum(parts) / len(parts)


def other_machine(here, there):
    """Returns by which factor residuals can be larger on a new GPU and host. It comes from programs that were recorded
    on two machines."""
    apart = collections.defaultdict(list)
    for name, row in here.items():
        if name in there:
            other = there[name]
            apart[row.program].append(max(abs(score(row) - score(other)) for score in (too_little, too_much)))
    return math.ceil(1e4 * math.exp(quantile(apart))) / 1e4


def binomial_interval(held, count):
    """Returns the Clopper-Pearson interval of 95 %."""
    def below(share):  # probability of `held` or more
        return sum(math.comb(count, k) * share ** k * (1 - share) ** (count - k) for k in range(held, count + 1))

    def above(share):  # probability of `held` or fewer
        return sum(math.comb(count, k) * share ** k * (1 - share) ** (count - k) for k in range(held + 1))

    def solved(function, rises):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            if (function(middle) < 0.025) == rises:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    return (solved(below, True) if held else 0.0), (solved(above, False) if held < count else 1.0)
