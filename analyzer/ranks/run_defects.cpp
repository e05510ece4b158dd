#include "analyzer/ranks/run_defects.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <system_error>
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

void find_missing_ranks(std::span<const RankWork> ranks, std::vector<RunDefectRow>& defects) {
  std::map<int, std::set<std::string>> files;
  std::set<int> sizes;
  for (const RankWork& rank : ranks) {
    if (rank.ranks > 0) sizes.insert(rank.ranks);
    if (const auto number = number_of(rank.rank)) files[*number].insert(rank.file);
  }
  RunDefectRow twice{RunDefect::rank_twice};
  for (const auto& [number, of_rank] : files) {
    if (of_rank.size() > 1) twice.which.push_back(std::to_string(number));
  }
  twice.count = static_cast<std::int64_t>(twice.which.size());
  std::int64_t all = sizes.empty() ? 0 : *sizes.rbegin();
  if (!files.empty()) all = std::max(all, std::int64_t{files.rbegin()->first} + 1);
  RunDefectRow missing{RunDefect::rank_missing, all - static_cast<std::int64_t>(files.size())};
  // Limited to most_named ranks, because a damaged file may claim 10^9 ranks.
  for (int number = 0; number < all && missing.which.size() < most_named; ++number) {
    if (files.count(number) == 0) missing.which.push_back(std::to_string(number));
  }
  if (sizes.size() > 1) defects.push_back({RunDefect::different_sizes, 1});
  for (RunDefectRow* row : {&twice, &missing}) {
    if (row->count > 0) defects.push_back(std::move(*row));
  }
}

// Returns the names of ranks that lack collectives of other ranks. In a run that hangs, the other
// ranks wait for such a rank.
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
                                      const Matches& matches) {
  std::vector<RunDefectRow> defects;
  find_missing_ranks(ranks, defects);
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
