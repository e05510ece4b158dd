#include "analyzer/iterations/find_iterations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

#include "analyzer/iterations/range_nesting.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/name_pattern.h"
#include "analyzer/model/run_sort.h"

namespace lapscope::analyzer {
namespace {

// Returns one more than the number of examples that are needed, because the first iteration may be
// warm-up.
std::size_t least_iterations() { return assumed::enough_examples + 1; }

// Returns the Z function of a sequence: for each position, how many elements from this position on
// equal the beginning of the sequence. Takes linear time.
std::vector<std::uint32_t> lengths_as_beginning(std::span<const std::uint32_t> sequence) {
  std::vector<std::uint32_t> lengths(sequence.size());
  std::size_t from = 0;  // [from, to) equals the beginning, and `to` is as large as possible
  std::size_t to = 0;
  for (std::size_t i = 1; i < sequence.size(); ++i) {
    std::size_t length = i < to ? std::min<std::size_t>(lengths[i - from], to - i) : 0;
    while (i + length < sequence.size() && sequence[length] == sequence[i + length]) ++length;
    lengths[i] = static_cast<std::uint32_t>(length);
    if (i + length <= to) continue;
    from = i;
    to = i + length;
  }
  return lengths;
}

}  // namespace

std::optional<Repetition> find_repetition(std::span<const std::uint32_t> sequence,
                                          std::size_t least_count) {
  const std::size_t middle = sequence.size() / 2;
  const std::vector<std::uint32_t> same = lengths_as_beginning(sequence.subspan(middle));
  std::size_t period = 1;
  for (std::size_t length = 4; length <= sequence.size() / 4; length *= 2) {
    while (period < same.size() && same[period] < length) ++period;
    if (period == same.size()) return std::nullopt;  // longer probes do not recur either
    if (period < 2) continue;
    Repetition found{middle, middle, period};
    while (found.first > 0 && sequence[found.first - 1] == sequence[found.first - 1 + period]) {
      --found.first;
    }
    while (found.last + period < sequence.size() &&
           sequence[found.last] == sequence[found.last + period]) {
      ++found.last;
    }
    found.last += period;
    const double least = assumed::majority * static_cast<double>(sequence.size());
    if (found.count() >= least_count &&
        static_cast<double>(found.last - found.first) >= std::floor(least)) {
      return found;
    }
  }
  return std::nullopt;
}

namespace {

// The ops that were issued in one NVTX range, or in one repetition of a sequence.
struct Issued {
  std::int64_t ops = 0;
  Ns first_start = std::numeric_limits<Ns>::max();
  Ns last_end = 0;

  void add(const Issued& other) {
    ops += other.ops;
    first_start = std::min(first_start, other.first_start);
    last_end = std::max(last_end, other.last_end);
  }
};
// A range, or a repetition of a sequence, that is taken as an iteration.
struct Turn {
  Issued issued;
  Interval host;  // the NVTX range, or the time of its calls
};

// Returns the ops of each range in Trace::ranges, including the ops of ranges inside it.
std::vector<Issued> issued_by_range(const Trace& trace, const Ops& ops, const Scope& scope,
                                    const RangeNesting& nesting) {
  std::vector<Issued> issued(trace.ranges.size());
  for_each_op_in_ranges(trace, ops, scope.ops, nesting, [&](std::uint32_t op, std::uint32_t range) {
    const Interval ran = scope.clipped(ops, op);
    issued[range].add({1, ran.start, ran.end});
  });
  // Ranges are sorted by start. So a range comes after the range around it.
  for (auto inner = static_cast<std::uint32_t>(issued.size()); inner-- > 0;) {
    const std::uint32_t outer = nesting.around(inner);
    if (outer != no_index && issued[inner].ops > 0) issued[outer].add(issued[inner]);
  }
  return issued;
}

// Returns `turns` as iterations. The turns may be in any order. Each iteration begins with the
// first op of its turn, and ends where the next iteration begins. The last iteration ends with its
// last op, because ops after the loop are not part of the iteration.
Iterations bordered(std::string range, std::vector<Turn> turns, std::int64_t sequence = 0) {
  std::ranges::sort(turns, {}, [](const Turn& one) { return one.issued.first_start; });
  Iterations iterations;
  iterations.range = std::move(range);
  iterations.sequence = sequence;
  iterations.borders.reserve(turns.size() + 1);
  iterations.ops.reserve(turns.size());
  iterations.host.reserve(turns.size());
  for (const Turn& one : turns) {
    iterations.borders.push_back(one.issued.first_start);
    iterations.ops.push_back(static_cast<std::uint32_t>(one.issued.ops));
    iterations.host.push_back(one.host);
  }
  iterations.borders.push_back(turns.back().issued.last_end);
  return iterations;
}

// All ranges whose names differ only in digits.
struct Candidate {
  std::int64_t ranges = 0;  // number of ranges that issued anything
  std::int64_t own = 0;  // of these, ranges in the default domain: the program's, not a library's
  std::int64_t ops = 0;
  bool nests = false;     // whether one of these ranges lies in another of them
  std::int64_t open = 0;  // during the walk: the number of these ranges around a range
};

// For each range that issued something, calls enter(range) before it visits the ranges inside this
// range, and leave(range) after it has visited them. Takes linear time for any depth of nesting.
template <class Enter, class Leave>
void walk_nesting(const std::vector<Issued>& issued, const RangeNesting& nesting, Enter&& enter,
                  Leave&& leave) {
  std::vector<std::uint32_t> first_inside(issued.size() + 1, no_index);  // the last: in no range
  std::vector<std::uint32_t> next_beside(issued.size(), no_index);
  const auto roots = static_cast<std::uint32_t>(issued.size());
  for (std::uint32_t range = roots; range-- > 0;) {
    if (issued[range].ops == 0) continue;
    const std::uint32_t outer = nesting.around(range);
    std::uint32_t& first = first_inside[outer == no_index ? roots : outer];
    next_beside[range] = first;
    first = range;
  }
  std::vector<std::uint32_t> path;
  for (std::uint32_t next = first_inside[roots]; next != no_index || !path.empty();) {
    if (next != no_index) {
      enter(next);
      path.push_back(next);
      next = first_inside[next];
    } else {
      leave(path.back());
      next = next_beside[path.back()];
      path.pop_back();
    }
  }
}

// Returns the name pattern of the ranges that are iterations; empty if there are none.
std::string pattern_of_iterations(const Trace& trace, const std::vector<Issued>& issued,
                                  std::size_t ops, const RangeNesting& nesting,
                                  RangePatterns& patterns) {
  std::map<std::string, Candidate> candidates;
  walk_nesting(
      issued, nesting,
      [&](std::uint32_t range) {
        Candidate& candidate = candidates[patterns.of(range)];
        ++candidate.ranges;
        if (trace.ranges[range].domain == 0) ++candidate.own;
        candidate.ops += issued[range].ops;
        if (candidate.open++ > 0) candidate.nests = true;
      },
      [&](std::uint32_t range) { --candidates[patterns.of(range)].open; });
  const double least = assumed::majority * static_cast<double>(ops);
  const std::pair<const std::string, Candidate>* best = nullptr;
  for (const auto& candidate : candidates) {
    const Candidate& ranges = candidate.second;
    if (ranges.nests || ranges.ranges < static_cast<std::int64_t>(least_iterations()) ||
        static_cast<double>(ranges.ops) < least) {
      continue;
    }
    const auto rank = [](const Candidate& one) { return std::tuple(one.ops, one.ranges, one.own); };
    if (best && rank(best->second) >= rank(ranges)) continue;
    best = &candidate;
  }
  return best ? best->first : std::string();
}

// Returns the turns of the chosen ranges that issued something.
std::vector<Turn> turns_of(const Trace& trace, const std::vector<Issued>& issued,
                           const std::function<bool(std::uint32_t range)>& is_chosen) {
  std::vector<Turn> turns;
  for (std::uint32_t range = 0; range < issued.size(); ++range) {
    if (issued[range].ops > 0 && is_chosen(range)) {
      turns.push_back({issued[range], trace.ranges[range].interval});
    }
  }
  return turns;
}

std::optional<Iterations> find_by_ranges(const Trace& trace, const Ops& ops, const Scope& scope,
                                         const HostTimeline& host, RangeThreads threads) {
  RangePatterns patterns(trace);
  std::string pattern;
  std::vector<Turn> turns;
  {
    // The nesting takes as much memory as the turns, so it is freed before the turns are made.
    std::optional<RangeNesting> nesting(std::in_place, trace, host, threads);
    const std::vector<Issued> issued = issued_by_range(trace, ops, scope, *nesting);
    pattern = pattern_of_iterations(trace, issued, scope.ops.size(), *nesting, patterns);
    if (pattern.empty()) return std::nullopt;
    nesting.reset();
    turns =
        turns_of(trace, issued, [&](std::uint32_t range) { return patterns.of(range) == pattern; });
  }
  return bordered(pattern, std::move(turns));
}

// Returns a number for each op. Ops of the same kind, engine and name have the same number, so each
// iteration has the same numbers. The stream does not count, because iterations may use different
// streams in turn.
std::vector<std::uint32_t> sequence_of(const Ops& ops, const std::vector<std::uint32_t>& order) {
  std::map<std::tuple<OpKind, Engine, std::uint32_t>, std::uint32_t> known;
  std::vector<std::uint32_t> sequence;
  sequence.reserve(order.size());
  for (const std::uint32_t op : order) {
    sequence.push_back(known
                           .try_emplace({ops.kind[op], ops.engine[op], ops.name[op]},
                                        static_cast<std::uint32_t>(known.size()))
                           .first->second);
  }
  return sequence;
}

std::optional<Iterations> find_by_sequence(const Trace& trace, const Ops& ops, const Scope& scope) {
  std::vector<std::uint32_t> order;
  order.reserve(scope.ops.size());
  for (std::size_t i = 0; i < scope.ops.size(); ++i) order.push_back(scope.ops[i]);
  run_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return time_of_issue(ops, trace.calls, a) < time_of_issue(ops, trace.calls, b);
  });
  const auto found = find_repetition(sequence_of(ops, order), least_iterations());
  if (!found) return std::nullopt;
  std::vector<Turn> turns(found->count(), {{}, {std::numeric_limits<Ns>::max(), 0}});
  for (std::size_t i = 0; i < found->count() * found->period; ++i) {
    const std::uint32_t op = order[found->first + i];
    const Ns called = time_of_issue(ops, trace.calls, op);
    Turn& turn = turns[i / found->period];
    const Interval ran = scope.clipped(ops, op);
    turn.issued.add({1, ran.start, ran.end});
    turn.host.extend_to({called, called + 1});
  }
  return bordered("", std::move(turns), static_cast<std::int64_t>(found->period));
}

}  // namespace

std::size_t warm_up_of(const Iterations& iterations) {
  std::vector<Ns> lengths;
  for (std::size_t i = 0; i + 1 < iterations.borders.size(); ++i) {
    lengths.push_back(iterations.borders[i + 1] - iterations.borders[i]);
  }
  std::vector<Ns> sorted = lengths;
  // Of two middle values, takes the longer one. So if long and short iterations alternate, the long
  // ones do not count as warm-up.
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  const auto is_usual = [&](Ns ns) { return ns <= assumed::uneven * *middle; };
  return static_cast<std::size_t>(std::ranges::find_if(lengths, is_usual) - lengths.begin());
}

std::string without_digits(const std::string& name) {
  std::string pattern;
  for (const char c : name) {
    const bool is_digit = '0' <= c && c <= '9';
    if (!is_digit) {
      pattern += c;
    } else if (pattern.empty() || pattern.back() != '*') {
      pattern += '*';
    }
  }
  return pattern;
}

std::optional<Iterations> iterations_named(const Trace& trace, const Ops& ops, const Scope& scope,
                                           const HostTimeline& host, const std::string& pattern,
                                           RangeThreads threads) {
  const RangeNesting nesting(trace, host, threads);
  std::vector<bool> fits(trace.ranges.size());
  std::vector<bool> is_inside(trace.ranges.size());  // whether it lies in a range that fits
  for (std::uint32_t range = 0; range < trace.ranges.size(); ++range) {
    fits[range] = fits_pattern(trace.names.text(trace.ranges[range].name), pattern);
    // Ranges are sorted by start. So a range comes after the range around it.
    const std::uint32_t outer = nesting.around(range);
    is_inside[range] = outer != no_index && (fits[outer] || is_inside[outer]);
  }
  std::vector<Turn> turns =
      turns_of(trace, issued_by_range(trace, ops, scope, nesting),
               [&](std::uint32_t range) { return fits[range] && !is_inside[range]; });
  if (turns.size() < least_iterations()) return std::nullopt;
  return bordered(pattern, std::move(turns));
}

std::optional<Iterations> find_iterations(const Trace& trace, const Ops& ops, const Scope& scope,
                                          const HostTimeline& host, RangeThreads threads) {
  if (auto found = find_by_ranges(trace, ops, scope, host, threads)) return found;
  return find_by_sequence(trace, ops, scope);
}

}  // namespace lapscope::analyzer
