#include "analyzer/ranks/run_findings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/model/assumptions.h"
#include "analyzer/ranks/replay_run.h"
#include "analyzer/ranks/waiting.h"

namespace lapscope::analyzer {
namespace {

// Returns the time in ns that recording may have added to a part of a rank's time. This part lasted
// `stretch` ns.
Ns recorders_of(const RankWork& rank, Ns stretch) {
  return std::llround(rank.recorder_share * static_cast<double>(stretch));
}

// Predicts the saving of changes to the program of a run. There are two savings: from replays with
// the recorded times, and from replays without the time that recording added. The second saving is
// scaled to the length of the recorded run.
class Predictor {
 public:
  explicit Predictor(const RunProgram& of_run)
      : program(of_run),
        recorded_(replay_run(program, {})),
        bare_(replay_run(program, {.without_recorder = true})) {}

  // Returns a finding with RunFinding::saving and RunFinding::most_saving. `recorders` is the time
  // in ns by which recording may have increased the saving. It is subtracted from
  // RunFinding::saving.
  RunFinding saved_by(RunCause cause, RunEdits edits, Ns recorders) const {
    const Ns recorded = recorded_ - replay_run(program, edits);
    edits.without_recorder = true;
    const Ns unchanged =
        edits.on_time.empty()
            ? bare_
            : replay_run(program, {.without_recorder = true, .at_start = edits.on_time});
    const Ns bare = unchanged - replay_run(program, edits);
    const Ns scaled = std::llround(portion(bare, unchanged) * static_cast<double>(recorded_));
    return {cause, std::max<Ns>(0, recorded - recorders), std::max<Ns>({0, recorded, scaled})};
  }

  const RunProgram& program;

 private:
  Ns recorded_ = 0;  // the length of the run, in ns
  Ns bare_ = 0;      // the length of the run without what recording added, in ns
};

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

// Returns the finding for the bubble of a pipeline. The saving is the shortest time that a rank
// waits for messages. Every stage waits at least so long, because stages take turns. If a stage
// waits longer, the excess is not the bubble: the stage waits for the slowest stage.
RunFinding pipeline_bubble(const RunResult& run, std::span<const RankWork> ranks) {
  RunFinding finding{RunCause::pipeline_bubble};
  finding.ranks = {0};
  bool is_any = false;
  Ns recorders = 0;
  for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
    const RankResult& rank = run.ranks[r];
    if (rank.exchanges == 0) continue;
    const Ns waiting = rank.time.for_messages;
    finding.most_saving = is_any ? std::min(finding.most_saving, waiting) : waiting;
    if (waiting > run.ranks[finding.ranks[0]].time.for_messages) finding.ranks = {r};
    recorders = std::max(recorders, recorders_of(ranks[r], run.window.length()));
    is_any = true;
  }
  finding.count = run.exchanges;
  finding.micro_batches = messages_in_step(run, ranks[finding.ranks[0]]);
  finding.saving = std::max<Ns>(0, finding.most_saving - recorders);
  return finding;
}

// Returns how much longer `part` is in the ranks of `set` than in the others, on average.
Ns excess_of(const std::vector<RankResult>& ranks, const RankSet& set, Ns RankTime::*part) {
  Ns sums[2] = {};  // of the others, of the set
  Ns counts[2] = {};
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    sums[set[r]] += ranks[r].time.*part;
    ++counts[set[r]];
  }
  return sums[1] / counts[1] - sums[0] / counts[0];
}

// `late`: the ranks that are late together, the latest first. At least one other rank is not late.
RunFinding straggler(const RunResult& run, const Predictor& predictor,
                     const std::vector<std::uint32_t>& late) {
  const RunProgram& program = predictor.program;
  RankSet set(run.ranks.size());
  Ns recorders = 0;
  for (const std::uint32_t rank : late) {
    set[rank] = true;
    recorders = std::max(recorders, recorders_of(program.ranks[rank], run.window.length()));
  }
  RunFinding finding = predictor.saved_by(RunCause::straggler, {.on_time = late}, recorders);
  finding.count = last_of(set, program.ranks, *program.matches, run.window, program.clock_errors);
  finding.ranks = late;
  const Ns more_computing = excess_of(run.ranks, set, &RankTime::computing);
  const Ns more_idle = excess_of(run.ranks, set, &RankTime::idle);
  finding.late_by = more_idle >= more_computing ? LateBy::idle : LateBy::computing;
  finding.excess = std::max(more_idle, more_computing);
  const double most = assumed::majority * static_cast<double>(finding.saving);
  if (static_cast<double>(finding.excess) < most) finding.late_by = LateBy::turns;
  return finding;
}

// Returns the ranks that may be stragglers; at most most_suspects, because each of them takes three
// replays. The greatest Lateness::sum comes first. Leaves out ranks that were hardly late: they
// save little.
std::vector<std::uint32_t> suspects(const RunResult& run, Ns least) {
  std::vector<std::uint32_t> ranks;
  for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
    if (run.ranks[r].late.last > 0 && run.ranks[r].late.sum >= least) ranks.push_back(r);
  }
  std::stable_sort(ranks.begin(), ranks.end(), [&](std::uint32_t a, std::uint32_t b) {
    return run.ranks[a].late.sum > run.ranks[b].late.sum;
  });
  if (ranks.size() > most_suspects) ranks.resize(most_suspects);
  return ranks;
}

RunFinding merged(const RunResult& run, const Predictor& predictor) {
  const RunProgram& program = predictor.program;
  SmallCollectives rows = small_collectives(program.ranks, *program.matches, run.window);
  if (rows.collectives == 0) return {RunCause::small_collectives};
  Ns recorders = 0;  // of the rank on which recording added most, because that rank decides how
                     // long a row takes
  for (const RankWork& rank : program.ranks) {
    recorders = std::max(recorders, recorders_of(rank, rows.row_ns));
  }
  RunFinding finding = predictor.saved_by(RunCause::small_collectives,
                                          {.merged = std::move(rows.merged)}, recorders);
  finding.count = rows.collectives;
  finding.bytes = rows.most_bytes;
  return finding;
}

// Returns the question whether transfers could run while the ranks compute. The saving is at most
// the computing time of the rank that computes least.
RunFinding exposed_communication(const RunResult& run, const Predictor& predictor) {
  RunFinding finding =
      predictor.saved_by(RunCause::exposed_communication, {.hides_transfers = true}, 0);
  for (const RankResult& rank : run.ranks) {
    finding.most_saving = std::min(finding.most_saving, rank.time.computing);
  }
  finding.saving = std::min(finding.saving, finding.most_saving);
  finding.count = run.collectives;
  return finding;
}

}  // namespace

void find_run_causes(const RunProgram& program, Share least_saving, RunResult& run) {
  const auto add = [&](RunFinding finding) {
    auto& list = is_question(finding.cause) ? run.questions : run.findings;
    const auto wall = static_cast<double>(run.window.length());
    if (static_cast<double>(finding.saving) >= least_saving * wall && finding.most_saving > 0) {
      list.push_back(std::move(finding));
    }
  };
  const Predictor predictor(program);
  add(pipeline_bubble(run, program.ranks));
  const auto least = static_cast<Ns>(least_saving * static_cast<double>(run.window.length()));
  for (const std::uint32_t rank : suspects(run, least)) {
    add(straggler(run, predictor, {rank}));
  }
  const auto together =
      late_ranks(program.ranks, *program.matches, run.window, program.clock_errors);
  if (together.size() > 1) {
    RunFinding finding = straggler(run, predictor, together);
    if (finding.late_by != LateBy::turns && finding.count > 0) add(std::move(finding));
  }
  add(merged(run, predictor));
  add(exposed_communication(run, predictor));
  for (auto* list : {&run.findings, &run.questions}) {
    std::stable_sort(list->begin(), list->end(),
                     [](const RunFinding& a, const RunFinding& b) { return a.saving > b.saving; });
  }
}

}  // namespace lapscope::analyzer
