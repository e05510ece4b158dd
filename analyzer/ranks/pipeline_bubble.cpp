#include "analyzer/ranks/pipeline_bubble.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Returns the number n of messages in a step (RunFinding::micro_batches). In every step, the rank
// sends n messages of one size to one other rank, and receives n messages of this size from it. If
// this is true for several sizes or ranks, returns the greatest n. Returns 0 if it is true for no
// n, or if the run has no steps of two or more collectives.
std::int64_t messages_in_step(const RunResult& run, const RankWork& rank) {
  if (run.steps.empty() || run.collectives_in_step < 2) return 0;
  // By communicator, peer and size: the sends in each step, then the receives in each step.
  std::map<std::tuple<std::uint32_t, int, Bytes>, std::vector<std::int64_t>> counts;
  const std::size_t steps = run.steps.size() - 1;
  for (const RankMessage& message : rank.messages) {
    const Ns start = rank.collectives[message.collective].interval.start;
    if (start < run.window.start || run.window.end <= start) continue;
    auto& of_steps = counts[{message.communicator, message.peer, message.bytes}];
    of_steps.resize(2 * steps);
    const auto after = std::upper_bound(run.steps.begin(), run.steps.end(), start);
    const auto step = static_cast<std::size_t>(after - run.steps.begin()) - 1;
    ++of_steps[step + (message.is_send ? 0 : steps)];
  }
  std::int64_t most = 0;
  for (const auto& [key, of_steps] : counts) {
    const auto [least, greatest] = std::minmax_element(of_steps.begin(), of_steps.end());
    if (*least == *greatest) most = std::max(most, *least);
  }
  return most;
}

// Returns the time in ns that the rank's host needs to issue its work in the window. 0 if the host
// time is not known.
double host_time_in(const Interval& window, const RankWork& rank) {
  const RankCollective* first = nullptr;
  const RankCollective* last = nullptr;
  for (const RankCollective& one : rank.collectives) {
    if (one.interval.start < window.start || window.end <= one.interval.start) continue;
    if (first == nullptr) first = &one;
    last = &one;
  }
  if (first == last) return 0;
  const Ns length = last->interval.start - first->interval.start;
  return static_cast<double>(last->host_time - first->host_time) *
         portion(window.length(), std::max<Ns>(1, length));
}

// The times of a run in ns. There are two versions. `recorded` has the host time as recorded, and
// leaves out the part of the bubble that recording may have caused. `bare` has the whole bubble,
// and the host time without what recording added.
struct RunTimes {
  double wall = 0;
  double bubble = 0;
  double host = 0;  // of the slowest host

  // Returns the saving in ns for n times as many micro-batches. Negative if the run gets longer.
  double saved_by(double n) const { return wall - std::max(wall - bubble * (1 - 1 / n), host * n); }
};

}  // namespace

RunFinding pipeline_bubble(const RunResult& run, std::span<const RankWork> ranks, Ns least) {
  RunFinding finding{RunCause::pipeline_bubble};
  finding.ranks = {0};
  const auto wall = static_cast<double>(run.window.length());
  Ns bubble = run.window.length();
  double recorders = 0;  // time that recording may have added
  double host = 0;
  double bare_host = 0;
  bool is_host_known = true;
  bool is_any = false;
  for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
    const RankResult& rank = run.ranks[r];
    if (rank.exchanges == 0) continue;
    const Ns waiting = rank.time.for_messages;
    bubble = std::min(bubble, waiting);
    if (waiting > run.ranks[finding.ranks[0]].time.for_messages) finding.ranks = {r};
    recorders = std::max(recorders, ranks[r].recorder_share * wall);
    const double own = host_time_in(run.window, ranks[r]);
    is_host_known &= own > 0;
    host = std::max(host, own);
    bare_host = std::max(bare_host, (1 - ranks[r].host_recorder_share) * own);
    is_any = true;
  }
  if (!is_any) return finding;
  finding.count = run.exchanges;
  finding.micro_batches = messages_in_step(run, ranks[finding.ranks[0]]);
  finding.bubble = bubble;
  const auto whole = static_cast<double>(bubble);
  const RunTimes recorded{wall, std::max(0.0, whole - recorders), host};
  const RunTimes bare{wall, whole, bare_host};
  const auto worth =
      std::max(static_cast<double>(least), static_cast<double>(assumed::noteworthy) * wall);
  double n = 2;
  while (is_host_known && recorded.saved_by(2 * n) - recorded.saved_by(n) >= worth) n *= 2;
  finding.times_as_many = std::llround(n);
  finding.saving = std::max<Ns>(0, std::llround(recorded.saved_by(n)));
  finding.most_saving = std::max<Ns>(finding.saving, std::llround(bare.saved_by(n)));
  return finding;
}

}  // namespace lapscope::analyzer
