#include "analyzer/ranks/run_findings.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "analyzer/model/assumptions.h"
#include "analyzer/ranks/pipeline_bubble.h"
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

  // Returns a finding with RunFinding::saving and RunFinding::most_saving: the savings of two
  // versions of a change. `recorders` is the time in ns by which recording may have increased the
  // saving. It is subtracted from RunFinding::saving.
  RunFinding saved_by(RunCause cause, const RunEdits& least, RunEdits most, Ns recorders) const {
    const Ns saving = std::max<Ns>(0, recorded_ - replay_run(program, least) - recorders);
    const Ns recorded = recorded_ - replay_run(program, most);
    most.without_recorder = true;
    const Ns unchanged =
        most.on_time.empty()
            ? bare_
            : replay_run(program, {.without_recorder = true, .at_start = most.on_time});
    const Ns bare = unchanged - replay_run(program, most);
    const Ns scaled = std::llround(portion(bare, unchanged) * static_cast<double>(recorded_));
    return {cause, saving, std::max<Ns>({saving, recorded, scaled})};
  }

  const RunProgram& program;

 private:
  Ns recorded_ = 0;  // the length of the run, in ns
  Ns bare_ = 0;      // the length of the run without what recording added, in ns
};

// Returns the mean of `part` over the ranks whose membership in `set` is `is_in`.
Ns mean_of(const std::vector<RankResult>& ranks, const RankSet& set, bool is_in,
           Ns RankTime::*part) {
  Ns sum = 0;
  Ns count = 0;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (set[r] != is_in) continue;
    sum += ranks[r].time.*part;
    ++count;
  }
  return sum / count;
}

// Returns why ranks compute longer by `excess` ns. Returns LateBy::computing if their kernels do
// not explain most of `excess`. It may be due to copies.
LateBy cause_in(const KernelComparison& kernels, Ns excess) {
  const double explained = std::min(kernels.longer + kernels.more, kernels.busy);
  if (explained <= assumed::majority * static_cast<double>(excess)) return LateBy::computing;
  return kernels.longer >= kernels.more ? LateBy::longer_kernels : LateBy::more_kernels;
}

// Names the kernels by which the late ranks compute longer, if they are the cause on average, and
// for most of these ranks alone. `usual`: how long the other ranks compute, in ns.
void name_kernels(const RunProgram& program, const RunResult& run, Ns usual, RunFinding& finding) {
  const auto comparisons = compare_kernels(program.ranks, finding.ranks, run.window);
  if (comparisons.empty()) return;
  const LateBy cause = cause_in(comparisons[0], finding.excess);
  double alike = 0;
  for (std::size_t i = 0; i < finding.ranks.size(); ++i) {
    const Ns excess = run.ranks[finding.ranks[i]].time.computing - usual;
    if (cause_in(comparisons[i + 1], std::max<Ns>(0, excess)) == cause) ++alike;
  }
  const double most = assumed::majority * static_cast<double>(finding.ranks.size());
  if (cause == LateBy::computing || alike <= most) return;
  finding.late_by = cause;
  finding.kernel = cause == LateBy::longer_kernels ? comparisons[0].longest : comparisons[0].most;
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
  RunFinding finding =
      predictor.saved_by(RunCause::straggler, {.on_time = late},
                         {.on_time = late, .frees_multiprocessors = true}, recorders);
  finding.count = last_of(set, program.ranks, *program.matches, run.window, program.clock_errors);
  finding.ranks = late;
  const Ns usual = mean_of(run.ranks, set, false, &RankTime::computing);
  const Ns more_computing = mean_of(run.ranks, set, true, &RankTime::computing) - usual;
  const Ns more_idle = mean_of(run.ranks, set, true, &RankTime::idle) -
                       mean_of(run.ranks, set, false, &RankTime::idle);
  finding.late_by = more_idle >= more_computing ? LateBy::idle : LateBy::computing;
  finding.excess = std::max(more_idle, more_computing);
  const double most = assumed::majority * static_cast<double>(finding.saving);
  if (static_cast<double>(finding.excess) < most) finding.late_by = LateBy::turns;
  if (finding.late_by == LateBy::computing) name_kernels(program, run, usual, finding);
  return finding;
}

// Returns the ranks that may be stragglers; at most most_suspects, because each of them takes four
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
  const RunEdits edits{.merged = std::move(rows.merged)};
  RunFinding finding = predictor.saved_by(RunCause::small_collectives, edits, edits, recorders);
  finding.count = rows.collectives;
  finding.bytes = rows.most_bytes;
  return finding;
}

// Whether a rank of the collective computes between the end of its kernel and its next
// communication kernel.
bool is_followed_by_computing(const MatchedCollective& one, std::span<const RankWork> ranks) {
  return std::ranges::any_of(one.members, [&](const MatchedCollective::Member& member) {
    const RankWork& rank = ranks[member.rank];
    const Ns end = rank.collectives[member.kernel].interval.end;
    const bool is_last = member.kernel + 1 == rank.collectives.size();
    const Ns next = is_last ? std::numeric_limits<Ns>::max()
                            : rank.collectives[member.kernel + 1].interval.start;
    return next > end && rank.other_work.length_in({end, next}) > 0;
  });
}

// Returns the question whether transfers could run while the ranks compute. Kernels beside a
// transfer lose time (LostBeside). The fix does not save this lost time. It saves at most the
// computing time of the rank that computes least.
//
// The next kernels may need the data of a collective. Then the work must be divided into halves A
// and B, and the kernels of one half run while the data of the other is transferred. In the worst
// case, each half of a transfer takes as long as the whole. So kernels lose twice as much, and the
// transfers alone take twice as long:
//
//   recorded   [kernels A   kernels B   ][transfer AB]
//   in halves  [kernels A  ][kernels B  ][next A     ]
//                           [transfer A ][transfer B ]
RunFinding exposed_communication(const RunResult& run, const Predictor& predictor) {
  const RunProgram& program = predictor.program;
  LostBeside lost{1, 0};  // the extremes of all ranks
  for (const RankWork& rank : program.ranks) {
    lost.least = std::min(lost.least, rank.lost.least);
    lost.most = std::max(lost.most, rank.lost.most);
  }
  bool is_any_followed = false;
  std::vector<Share> most;  // by collective: the share that is still exposed in the worst case
  for (const MatchedCollective& one : program.matches->collectives) {
    const bool is_followed = is_followed_by_computing(one, program.ranks);
    is_any_followed |= is_followed;
    most.push_back(std::min(1.0, (is_followed ? 2 : 1) * lost.most));
  }
  const std::vector<Share> least(most.size(), lost.least);
  RunFinding finding = predictor.saved_by(RunCause::exposed_communication,
                                          {.exposed = std::move(most)}, {.exposed = least}, 0);
  for (const RankResult& rank : run.ranks) {
    const Ns computing = rank.time.computing;
    finding.most_saving = std::min(finding.most_saving, computing);
    const Ns in_halves = is_any_followed ? computing - rank.time.transferring : computing;
    finding.saving = std::max<Ns>(0, std::min(finding.saving, in_halves));
  }
  finding.saving = std::min(finding.saving, finding.most_saving);
  finding.count = run.collectives;
  return finding;
}

}  // namespace

void find_run_causes(const RunProgram& program, Share least_saving, RunResult& run) {
  const auto least = static_cast<Ns>(least_saving * static_cast<double>(run.window.length()));
  const auto add = [&](RunFinding finding) {
    auto& list = is_question(finding.cause) ? run.questions : run.findings;
    const Ns saving = is_question(finding.cause) ? finding.most_saving : finding.saving;
    if (saving >= least && finding.most_saving > 0) list.push_back(std::move(finding));
  };
  const Predictor predictor(program);
  RunFinding bubble = pipeline_bubble(run, program.ranks, least);
  run.host_limits_pipeline = bubble.bubble > 0 && bubble.bubble >= least && bubble.saving < least;
  add(std::move(bubble));
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
    std::ranges::stable_sort(*list, std::greater<>(), &RunFinding::middle);
  }
}

}  // namespace lapscope::analyzer
