"""Compares the answers of a variant of the model with those of the base, for tests/bench/ablate.py."""
import collections
import math
import statistics

MADE_WITH = ("suite", "pairs")  # groups that the model was made with, and that show nothing
LARGE_FINDING = 0.1
ERROR_POINT = 0.01


def ninth_tenth(values):
    return sorted(values)[math.ceil(0.9 * len(values)) - 1]


def score(cases, pairs, answers):
    """Returns the scores by group. `answers`: by case and pair."""
    scores = {}
    for group in dict.fromkeys(one.group for one in [*cases, *pairs]):
        own = [(case, answers[case]) for case in cases if case.group == group]
        made = [answers[pair] for pair in pairs if pair.group == group]
        known = [one for one in made if "failed" not in one]
        errors = [abs(one["error"]) for one in known]
        blind = [abs(one["blind"]) for _, one in own if one.get("blind") is not None]
        silent = [one for case, one in own if case.planted == ""]
        planted = [(case, one) for case, one in own if case.planted]
        scores[group] = {
            "planted": len(planted), "first": sum(one.get("first") == case.planted for case, one in planted),
            "silent": len(silent), "false": sum(one.get("largest", 0) > LARGE_FINDING for one in silent),
            "pairs": len(made), "predicted": len(known),
            "median": statistics.median(errors) if errors else None, "ninth_tenth": ninth_tenth(errors) if errors else None,
            "miss": statistics.median(abs(one["miss"]) for one in known) if known else None,
            "bands": sum(one["band"] for one in known), "held": sum(one["held"] for one in known),
            "blind": statistics.median(blind) if blind else None,
            "failed": sum("failed" in one for _, one in own) + len(made) - len(known),
            "traces": len(own),
        }
    return scores


def what_changed(cases, pairs, base, answers):
    """Returns the names of changed cases and pairs with their groups, such as those whose planted cause is no longer
    first. Also returns how many results of a group differ at all."""
    changed = {key: [] for key in ("no_longer_first", "now_first", "now_false", "no_longer_false", "misses_more", "misses_less")}
    different = collections.Counter()
    for case in cases:
        was, now, label = base[case], answers[case], f"{case.group}: {case.name}"
        different[case.group] += was.get("digest") != now.get("digest")
        if case.planted:
            was_first, is_first = was.get("first") == case.planted, now.get("first") == case.planted
            if was_first and not is_first:
                changed["no_longer_first"].append(f"{label} ({case.planted}, now {now.get('first', 'failed') or 'nothing'})")
            if is_first and not was_first:
                changed["now_first"].append(f"{label} ({case.planted}, was {was.get('first', 'failed') or 'nothing'})")
        elif case.planted == "":
            was_false, is_false = (one.get("largest", 0) > LARGE_FINDING for one in (was, now))
            if is_false and not was_false:
                changed["now_false"].append(f"{label} ({now['first']} {100 * now['largest']:.0f} %)")
            if was_false and not is_false:
                changed["no_longer_false"].append(label)
    for pair in pairs:
        was, now = base[pair], answers[pair]
        if "failed" in was or "failed" in now:
            continue
        more = abs(now["error"]) - abs(was["error"])
        if abs(more) > ERROR_POINT:
            kind = "misses_more" if more > 0 else "misses_less"
            changed[kind].append(f"{pair.group}: {pair.name} ({100 * was['error']:+.1f}, now {100 * now['error']:+.1f} %)")
    return changed, dict(different)


def compared(was, now):
    """Returns in words what is worse in a group, and what is better."""
    worse, better = [], []

    def count(key, name, more_is_worse):
        by = now[key] - was[key]
        if by:
            (worse if (by > 0) == more_is_worse else better).append(f"{name} {by:+d}")

    count("first", "first", False)
    count("false", "false", True)
    count("failed", "failed", True)
    missed_was, missed_now = was["bands"] - was["held"], now["bands"] - now["held"]
    if missed_was != missed_now:
        (worse if missed_now > missed_was else better).append(f"bands missed {missed_now - missed_was:+d}")
    if was["median"] is not None and now["median"] is not None:
        by = now["median"] - was["median"]
        if abs(by) > ERROR_POINT:
            (worse if by > 0 else better).append(f"median {100 * by:+.1f}")
    return worse, better


def judged(variant, cases, pairs, base, answers):
    """Returns a row: the scores of a variant, and its differences from the base. Differences leave out what the variant
    was made with."""
    scores = score(cases, pairs, answers)
    changed, different = what_changed(cases, pairs, base, answers)
    others = [[one for one in some if one.program not in variant.made_with] for some in (cases, pairs)]
    was, now = score(*others, base), score(*others, answers)
    worse, better = {}, {}
    for group in now:
        more, less = compared(was[group], now[group])
        if more:
            worse[group] = more
        if less:
            better[group] = less
    return {"name": variant.name, "kind": variant.kind, "text": variant.text, "scores": scores, "worse": worse, "better": better,
            "worse_where_not_made_with": any(group not in MADE_WITH for group in worse), "changed": changed, "different": different,
            "seconds": round(sum(one["seconds"] for one in answers.values()), 1)}
