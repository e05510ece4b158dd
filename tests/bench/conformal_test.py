#!/usr/bin/env python3
"""conformal_test.py: counts that bands cover what they promise, and that no program lies beyond both sides."""
import math
import random
import sys

sys.dont_write_bytecode = True
import conformal  # noqa: E402
from accuracy import Row  # noqa: E402

NEAR, UNCHANGED = 1.0, 2.0


def row_of(program, log_ratio, fixes=("stream-order",), near=NEAR, far=None):
    """Makes a program whose time is exp(log_ratio) times the prediction."""
    row = Row("", program, program, "", fixes, near * math.exp(log_ratio), UNCHANGED, UNCHANGED)
    row.near, row.far = near, far or near
    return row


def test_rank():
    """The score has rank 0.95 (n + 1). Of 19 scores, this is the largest. Fewer scores have no such rank."""
    for count in range(1, 61):
        scores = random.Random(count).sample(range(1000), count)
        rank = math.ceil(round(0.95 * (count + 1), 9))
        expected = sorted(scores)[rank - 1] if rank <= count else math.inf
        assert conformal.quantile({i: [score] for i, score in enumerate(scores)}) == expected, count


def test_coverage():
    """Each program is left out once. At least 95 % of the programs are within the limit from all others."""
    drawn = random.Random(1)
    for count in range(20, 60):
        scores = {i: [drawn.lognormvariate(0, 2) for _ in range(drawn.randint(1, 5))] for i in range(count)}
        within = 0.0
        for one, own in scores.items():
            limit = conformal.quantile({i: other for i, other in scores.items() if i != one})
            within += sum(score <= limit for score in own) / len(own)
        assert within >= 0.95 * count - 1e-6, (count, within)


def test_variants_are_one_program():
    scores = {i: [float(i)] for i in range(25)}
    copied = {i: own * (1 + i % 4) for i, own in scores.items()}
    assert conformal.quantile(copied) == conformal.quantile(scores)
    # Both variants of the worst program lie outside the bands of all others.
    rows = [row_of(f"p{i}", 0.01 * i) for i in range(25)] + [row_of("worst", 1), row_of("worst", 0.9)]
    held = {program: [is_held for _, is_held in pairs] for program, pairs in conformal.left_out(rows).items()}
    assert held["worst"] == [False, False] and held["p3"] == [True], held
    assert conformal.covered(conformal.left_out(rows)) < 1


def test_sides():
    """A time between near and far is no miss. Each side of a band depends only on misses on this side."""
    rows = [row_of(f"p{i}", -0.02 * i) for i in range(25)]
    low, high, group = conformal.band_of(row_of("new", 0, near=1, far=1.5), conformal.groups_of(rows))
    assert abs(low - math.exp(-0.48)) < 2e-4 and high == 1.5 and group.programs == 25, (low, high, group)
    assert conformal.miss(row_of("", 0.2, near=1, far=1.5)) == 0
    assert abs(conformal.miss(row_of("", math.log(2), near=1, far=1.5)) + 0.25) < 1e-9
    assert abs(conformal.miss(row_of("", math.log(0.8), near=1, far=1.5)) - 0.25) < 1e-9


def test_kinds():
    device = [row_of(f"d{i}", 0.001 * i) for i in range(19)]
    host = [row_of(f"h{i}", 0.5, ("host-sync",)) for i in range(18)]
    work = [row_of(f"w{i}", 0.7, ("host-compute",)) for i in range(3)]
    little = [row_of(f"l{i}", -1, near=1.99) for i in range(3)]
    groups = conformal.groups_of(device + host + work + little)
    assert [(one.kind, one.fix, one.fixes) for one in groups] == [
        ("fix", "stream-order", "device"), ("fix_class", "", "device"), ("estimate", "", "host"), ("saving", "", "host"),
        ("any", "", "host")], groups

    def kind(*row, **more):
        return conformal.band_of(row_of("", 0, *row, **more), groups)[2].kind

    assert kind(("stream-order:3",)) == "fix" and kind(("event-wait",)) == "fix_class"
    assert kind(("event-wait", "host-sync")) == "estimate" and kind(("lock",)) == "estimate"
    assert kind(("host-sync", "host-compute")) == "saving" and kind(near=1.99) == "any"


def test_other_machine():
    here = {str(i): row_of(str(i), 0) for i in range(25)}
    there = {str(i): row_of(str(i), 0.01 * i * (-1) ** i) for i in range(25)}
    assert abs(conformal.other_machine(here, there) - math.exp(0.24)) < 2e-4


def test_binomial_interval():
    for held, count, low, high in ((5, 10, 0.1871, 0.8129), (37, 37, 0.9051, 1), (0, 10, 0, 0.3085), (33, 37, 0.7458, 0.9697)):
        interval = conformal.binomial_interval(held, count)
        assert all(abs(a - b) < 1e-4 for a, b in zip(interval, (low, high))), (held, count, interval)


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
