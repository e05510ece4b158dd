#include "analyzer/ranks/run_defects.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

std::optional<int> number_of(const std::string& rank) {
  int number = 0;
  const auto [end, error] = std::from_chars(rank.data(), rank.data() + rank.size(), number);
  if (error != std::errc() || end != rank.data() + rank.size() || number < 0) return std::nullopt;
  return number;
}

Interval common_interval(std::span<const RankWork> ranks, Interval RankWork::*of) {
  Interval window = ranks[0].*of;
  for (const RankWork& rank : ranks) {
    window.start = std::max(window.start, (rank.*of).start);
    window.end = std::min(window.end, (rank.*of).end);
  }
  window.end = std::max(window.end, window.start);
  return window;
}

namespace {

constexpr std::size_t most_named = 16;

// Returns a row with the ranks that occur in several traces, or in several summaries of one trace.
// A process may have several devices, but each device only once.
RunDefectRow ranks_twice(std::span<const RankWork> ranks) {
  using Process = std::pair<std::string, std::string>;  // the host and the file
  std::map<int, Process> processes;                     // by number of the rank
  // Ranks without a number may be of two machines although host, file and device have equal names.
  // So the starts of these ranks are compared, too.
  std::set<std::tuple<Process, std::string, std::int64_t, Ns>> devices;
  std::set<std::string> names;
  for (const RankWork& rank : ranks) {
    const auto number = number_of(rank.rank);
    const Process process{rank.host, rank.file};
    const bool is_first =
        devices.emplace(process, rank.rank, rank.device, number ? 0 : rank.whole.start).second;
    const bool is_other =
        number && processes.try_emplace(*number, process).first->second != process;
    if (is_other || !is_first) names.insert(number ? rank.rank : rank.file);
  }
  RunDefectRow twice{RunDefect::rank_twice, static_cast<std::int64_t>(names.size())};
  for (const std::string& name : names) {
    if (twice.which.size() < most_named) twice.which.push_back(name);
  }
  return twice;
}

void find_missing_ranks(std::span<const RankWork> ranks, std::span<const std::string> without_work,
                        std::vector<RunDefectRow>& defects) {
  std::set<int> numbers;
  std::set<int> sizes;
  for (const RankWork& rank : ranks) {
    if (rank.ranks > 0) sizes.insert(rank.ranks);
    if (const auto number = number_of(rank.rank)) numbers.insert(*number);
  }
  // A launcher process may have the number of a rank that it starts. So a process without GPU work
  // does not count as a rank if another file has this number.
  RunDefectRow idle{RunDefect::rank_without_work};
  for (const std::string& rank : without_work) {
    const auto number = number_of(rank);
    if (number && numbers.insert(*number).second) idle.which.push_back(rank);
  }
  idle.count = static_cast<std::int64_t>(idle.which.size());
  if (idle.which.size() > most_named) idle.which.resize(most_named);
  RunDefectRow twice = ranks_twice(ranks);
  std::int64_t all = sizes.empty() ? 0 : *sizes.rbegin();
  if (!numbers.empty()) all = std::max(all, std::int64_t{*numbers.rbegin()} + 1);
  RunDefectRow missing{RunDefect::rank_missing, all - static_cast<std::int64_t>(numbers.size())};
  // Limited to most_named ranks, because a damaged file may claim 10^9 ranks.
  for (int number = 0; number < all && missing.which.size() < most_named; ++number) {
    if (numbers.count(number) == 0) missing.which.push_back(std::to_string(number));
  }
  if (sizes.size() > 1) defects.push_back({RunDefect::different_sizes, 1});
  for (RunDefectRow* row : {&twice, &idle, &missing}) {
    if (row->count > 0) defects.push_back(std::move(*row));
  }
}

// Returns the names of the ranks that lack collectives of other ranks. In a run that hangs, the
// other ranks wait for these ranks.
std::vector<std::string> names_of_absent(std::span<const RankWork> ranks, const Matches& matches) {
  std::vector<std::string> names;
  for (std::size_t r = 0; r < ranks.size() && names.size() < most_named; ++r) {
    if (matches.absent[r] > 0)
      names.push_back(ranks[r].rank.empty() ? ranks[r].file : ranks[r].rank);
  }
  return names;
}

}  // namespace

std::vector<RunDefectRow> run_defects(std::span<const RankWork> ranks, const RankClocks& clocks,
                                      const Matches& matches,
                                      std::span<const std::string> without_work) {
  std::vector<RunDefectRow> defects;
  find_missing_ranks(ranks, without_work, defects);
  if (clocks.without_utc > 0 && ranks.size() > 1) {
    defects.push_back({RunDefect::no_clock, clocks.without_utc});
  } else if (common_interval(ranks, &RankWork::whole).length() == 0) {
    defects.push_back({RunDefect::several_runs, 1});
  }
  if (clocks.is_unknown) defects.push_back({RunDefect::unknown_clock, 1});
  if (clocks.is_contradicted) defects.push_back({RunDefect::contradicted_clock, 1});
  std::int64_t unmatched = 0;
  for (const std::int64_t of_rank : matches.unmatched) unmatched += of_rank;
  std::int64_t matched = 0;
  for (const MatchedCollective& one : matches.collectives) {
    matched += static_cast<std::int64_t>(one.members.size());
  }
  const bool is_much = static_cast<double>(unmatched) >
                       assumed::hardly_any * static_cast<double>(matched + unmatched);
  if (ranks.size() > 1 && is_much) {
    defects.push_back(
        {RunDefect::unmatched_collectives, unmatched, names_of_absent(ranks, matches)});
  }
  return defects;
}

}  // namespace lapscope::analyzer
