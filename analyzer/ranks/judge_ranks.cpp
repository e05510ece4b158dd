#include "analyzer/ranks/judge_ranks.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/rank_clocks.h"
#include "analyzer/ranks/rank_states.h"
#include "analyzer/ranks/run_defects.h"
#include "analyzer/ranks/run_findings.h"
#include "analyzer/ranks/run_program.h"
#include "analyzer/ranks/run_steps.h"
#include "analyzer/ranks/waiting.h"

namespace lapscope::analyzer {
namespace {

// Sorts by the number of the rank, then by file, then by device. Ranks without a number come last.
void sort_ranks(std::vector<RankWork>& ranks) {
  std::stable_sort(ranks.begin(), ranks.end(), [](const RankWork& a, const RankWork& b) {
    const auto key = [](const RankWork& one) { return number_of(one.rank).value_or(1 << 30); };
    return std::tuple(key(a), a.file, a.device) < std::tuple(key(b), b.file, b.device);
  });
}

// Sets the window of the run to the first of these that it has:
// - the steps of the run,
// - the common part of the steady states of all ranks, if it covers most of each steady state,
// - the common part of all that was recorded.
void choose_window(const std::vector<RankWork>& ranks,
                   const std::vector<std::vector<RankMember>>& members, RunResult& run) {
  RunSteps steps = steps_of_run(ranks, members);
  run.steps = std::move(steps.borders);
  run.collectives_in_step = steps.collectives;
  if (!run.steps.empty()) {
    run.window = {run.steps.front(), run.steps.back()};
    run.window_is = RunWindow::steps;
    return;
  }
  run.window = common_interval(ranks, &RankWork::judged);
  const bool is_steady = std::all_of(ranks.begin(), ranks.end(), [&run](const RankWork& rank) {
    return rank.is_steady && is_mostly_in(rank.judged, run.window);
  });
  run.window_is = is_steady ? RunWindow::steady : RunWindow::whole;
  if (!is_steady) run.window = common_interval(ranks, &RankWork::whole);
}

// Sets RankWork::recorder_share and RankWork::host_recorder_share of all ranks for the window. A
// rank keeps its own shares if its interval `judged` covers most of the window. The other ranks get
// the greatest of these shares.
void choose_recorder_shares(const Interval& window, std::vector<RankWork>& ranks) {
  const auto is_of_window = [&](std::size_t r) { return is_mostly_in(window, ranks[r].judged); };
  Share most = 0;
  Share most_of_host = 0;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (!is_of_window(r)) continue;
    most = std::max(most, ranks[r].recorder_share);
    most_of_host = std::max(most_of_host, ranks[r].host_recorder_share);
  }
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (is_of_window(r)) continue;
    ranks[r].recorder_share = most;
    ranks[r].host_recorder_share = most_of_host;
  }
}

void count_collectives(const Matches& matches, RunResult& run) {
  for (const MatchedCollective& one : matches.collectives) {
    const Ns start = one.last_start();
    if (start < run.window.start || run.window.end <= start) continue;
    if (one.members.size() < 2) continue;  // in a run of one rank
    const bool is_exchange = one.kind == CollectiveKind::send_receive;
    ++(is_exchange ? run.exchanges : run.collectives);
    for (const MatchedCollective::Member& member : one.members) {
      RankResult& rank = run.ranks[member.rank];
      ++(is_exchange ? rank.exchanges : rank.collectives);
    }
  }
}

std::vector<Ns> borders_of(const Interval& window) {
  std::vector<Ns> borders;
  constexpr auto parts = static_cast<Ns>(run_parts);
  const Ns whole = window.length() / parts;
  const Ns rest = window.length() % parts;
  for (Ns i = 0; i <= parts; ++i) borders.push_back(window.start + i * whole + i * rest / parts);
  return borders;
}

std::vector<RankTime> times_between(const std::vector<Ns>& borders, const RankStates& states) {
  std::vector<RankTime> times;
  for (std::size_t i = 1; i < borders.size(); ++i) {
    times.push_back(states.in({borders[i - 1], borders[i]}));
  }
  return times;
}

// Returns the results of all ranks, and adds each rank to `program`. Only one rank's states, which
// are large, are in memory at a time.
std::vector<RankResult> results_of(const RankClocks& clocks,
                                   const std::vector<std::vector<RankMember>>& members,
                                   const RunResult& run, RunProgram& program) {
  const std::span<const RankWork> ranks = program.ranks;
  const std::vector<Ns> borders = borders_of(run.window);
  std::map<std::string, int> devices;
  for (const RankWork& rank : ranks) ++devices[rank.file + '\n' + rank.rank];
  std::vector<RankResult> results;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const RankWork& rank = ranks[r];
    RankResult result;
    result.name = rank.rank.empty() ? rank.file : rank.rank;
    if (devices[rank.file + '\n' + rank.rank] > 1) {
      result.name += "/" + std::to_string(rank.device);
    }
    result.file = rank.file;
    result.host = rank.host;
    result.device = rank.device;
    result.device_name = rank.device_name;
    const RankStates states = rank_states(ranks, r, members[r], run.window);
    program.of_rank.push_back(
        program_of_rank(*program.matches, ranks, r, members[r], states, run.window));
    result.time = states.in(run.window);
    const Ns middle = std::midpoint(run.window.start, run.window.end);
    result.offset = middle - clocks.lines[r].on_own_clock(middle);
    result.steps = times_between(run.steps, states);
    result.parts = times_between(borders, states);
    result.trust = rank.trust;
    result.own = rank.own;
    results.push_back(std::move(result));
  }
  return results;
}

void add_critical_path(const RunProgram& program,
                       const std::vector<std::vector<RankMember>>& members, RunResult& run) {
  std::vector<PathPart> path = critical_path(program);
  std::ranges::stable_sort(path, {}, &PathPart::rank);
  std::optional<RankStates> states;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const PathPart& part = path[i];
    if (i == 0 || path[i - 1].rank != part.rank) states.reset();
    if (part.is_transfer) {
      run.ranks[part.rank].on_path.transferring += part.time.length();
      continue;
    }
    if (!states) states = rank_states(program.ranks, part.rank, members[part.rank], run.window);
    run.ranks[part.rank].on_path += states->in(part.time);
  }
}

}  // namespace

RunResult judge_ranks(std::vector<RankWork> ranks, Share least_saving,
                      std::span<const std::string> without_work) {
  sort_ranks(ranks);
  tell_hosts_apart(ranks);
  RunResult run;
  const RankClocks clocks = rank_clocks(ranks);
  move_to_common_clock(clocks, ranks);
  const Matches matches = match_collectives(ranks, clocks.errors);
  const std::vector<std::vector<RankMember>> members = members_by_rank(matches, ranks.size());
  run.clock_error = clocks.error;
  run.others = matches.others;
  run.by_stream = matches.by_stream;
  run.defects = run_defects(ranks, clocks, matches, without_work);
  for (const RankWork& rank : ranks) run.resolution = std::max(run.resolution, rank.resolution);
  choose_window(ranks, members, run);
  const auto steps = static_cast<Ns>(std::max<std::size_t>(2, run.steps.size()) - 1);
  if (portion(run.resolution, run.window.length() / steps) > assumed::hardly_any) {
    run.defects.push_back({RunDefect::coarse_summaries, 1});
  }
  choose_recorder_shares(run.window, ranks);
  RunProgram program{ranks, &matches, run.window, clocks.errors, {}};
  run.ranks = results_of(clocks, members, run, program);
  add_critical_path(program, members, run);
  const std::vector<Lateness> late = lateness(ranks, matches, run.window, clocks.errors);
  for (std::size_t r = 0; r < ranks.size(); ++r) run.ranks[r].late = late[r];
  count_collectives(matches, run);
  if (ranks.size() > 1) find_run_causes(program, least_saving, run);
  return run;
}

}  // namespace lapscope::analyzer
