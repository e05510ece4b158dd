#include "analyzer/ranks/run_findings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include "analyzer/model/assumptions.h"
#include "analyzer/ranks/waiting.h"

namespace lapscope::analyzer {
namespace {

// Returns what recording may have added to a part of a rank's time, in ns.
Ns recorders_of(const RankWork& rank, Ns stretch) {
  return std::llround(rank.recorder_share * static_cast<double>(stretch));
}

// Returns the messages in a step, as RunFinding::micro_batches. Of several sizes and peers, the
// most frequent one counts. 0 if there are no steps of several collectives, or if not every step
// has the same number of these messages in each direction.
std::int64_t messages_in_step(const RunResult& run, const RankWork& rank) {
  if (run.steps.empty() || run.collectives_in_step < 2) return 0;
  // By communicator, peer and size: the sends of each step, then the receives of each step.
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

// Returns the finding for the bubble of a pipeline. Each rank that sends and receives waits some
// time for messages. The fix saves the least of these times over all such ranks. Every stage of the
// pipeline waits at least this long, because the stages take turns. A stage that waits longer than
// this waits for the slowest stage.
RunFinding pipeline_bubble(const RunResult& run, std::span<const RankWork> ranks) {
  RunFinding finding{RunCause::pipeline_bubble};
  bool is_any = false;
  Ns recorders = 0;
  for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
    const RankResult& rank = run.ranks[r];
    if (rank.exchanges == 0) continue;
    const Ns waiting = rank.time.for_messages;
    finding.most_saving = is_any ? std::min(finding.most_saving, waiting) : waiting;
    if (waiting > run.ranks[finding.rank].time.for_messages) finding.rank = r;
    recorders = std::max(recorders, recorders_of(ranks[r], run.window.length()));
    is_any = true;
  }
  finding.count = run.exchanges;
  finding.micro_batches = messages_in_step(run, ranks[finding.rank]);
  finding.saving = std::max<Ns>(0, finding.most_saving - recorders);
  return finding;
}

// Totals of all ranks together.
struct Totals {
  Ns computing = 0;
  Ns idle = 0;
  std::size_t waits_least = 0;  // the rank that waits least
  std::size_t waits_next = 0;   // the rank that waits second least
};

Totals totals_of(const std::vector<RankResult>& ranks) {
  Totals totals;
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::partial_sort(order.begin(), order.begin() + 2, order.end(), [&](auto a, auto b) {
    return std::tie(ranks[a].time.waiting, a) < std::tie(ranks[b].time.waiting, b);
  });
  totals.waits_least = order[0];
  totals.waits_next = order[1];
  for (const RankResult& rank : ranks) {
    totals.computing += rank.time.computing;
    totals.idle += rank.time.idle;
  }
  return totals;
}

RunFinding straggler(const RunResult& run, const RankWork& work, std::uint32_t rank,
                     const Totals& totals, Ns bubble) {
  const Lateness& late = run.ranks[rank].late;
  const Ns recorders = recorders_of(work, run.window.length());
  Ns alone = late.alone_ns + std::max<Ns>(0, late.of_messages - bubble);
  // The run cannot save more than the shortest waiting time among the other ranks.
  const std::size_t other = totals.waits_least == rank ? totals.waits_next : totals.waits_least;
  alone = std::min(alone, run.ranks[other].time.waiting);
  RunFinding finding{RunCause::straggler, std::max<Ns>(0, alone - recorders), alone, late.last,
                     rank};
  const RankTime& own = run.ranks[rank].time;
  const auto others = static_cast<Ns>(run.ranks.size()) - 1;
  const Ns more_computing = own.computing - (totals.computing - own.computing) / others;
  const Ns more_idle = own.idle - (totals.idle - own.idle) / others;
  finding.late_by = more_idle >= more_computing ? LateBy::idle : LateBy::computing;
  finding.excess = std::max(more_idle, more_computing);
  const double most = assumed::majority * static_cast<double>(finding.saving);
  if (static_cast<double>(finding.excess) < most) finding.late_by = LateBy::turns;
  return finding;
}

// Returns the finding for small collectives. A row lasts as long as the slowest rank's host takes
// to issue it. The time that recording adds may differ between ranks. The greatest of these times
// is subtracted from the saving.
RunFinding merged(const SmallCollectives& rows, std::span<const RankWork> ranks) {
  Ns recorders = 0;
  for (const RankWork& rank : ranks) {
    recorders = std::max(recorders, recorders_of(rank, rows.row_ns));
  }
  RunFinding finding{RunCause::small_collectives, std::max<Ns>(0, rows.saving - recorders),
                     rows.saving, rows.collectives};
  finding.bytes = rows.most_bytes;
  return finding;
}

// Returns the finding for transfers that a rank makes while it computes nothing. These transfers
// could run while the ranks compute.
RunFinding exposed_communication(const RunResult& run) {
  Ns most = run.window.length();
  for (const RankResult& rank : run.ranks) {
    most = std::min({most, rank.time.transferring, rank.time.computing});
  }
  return {RunCause::exposed_communication, most, most, run.collectives};
}

}  // namespace

void find_run_causes(std::span<const RankWork> ranks, const Matches& matches, Share least_saving,
                     RunResult& run) {
  const auto add = [&](RunFinding finding) {
    auto& list = is_question(finding.cause) ? run.questions : run.findings;
    const auto wall = static_cast<double>(run.window.length());
    if (static_cast<double>(finding.saving) >= least_saving * wall && finding.most_saving > 0) {
      list.push_back(finding);
    }
  };
  const RunFinding bubble = pipeline_bubble(run, ranks);
  add(bubble);
  const Totals totals = totals_of(run.ranks);
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    add(straggler(run, ranks[r], r, totals, bubble.most_saving));
  }
  add(merged(small_collectives(ranks, matches, run.window), ranks));
  add(exposed_communication(run));
  for (auto* list : {&run.findings, &run.questions}) {
    std::stable_sort(list->begin(), list->end(),
                     [](const RunFinding& a, const RunFinding& b) { return a.saving > b.saving; });
  }
}

}  // namespace lapscope::analyzer
