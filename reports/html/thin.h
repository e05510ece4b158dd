#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/analysis/timeline.h"
#include "analyzer/intervals/units.h"

namespace lapscope::reports {

// What joining left out of each entry of a lane or thread. Empty if nothing was joined.
struct Joined {
  std::vector<std::uint64_t> others;  // entries that were joined to it
  // ns from its start to its end in which none of its ops ran; below 0 where several ran at a time.
  std::vector<analyzer::Ns> idle;  // of lanes only
};

// What was done to a timeline that is too large for a page.
struct Thinning {
  std::optional<analyzer::Timeline> timeline;  // what became of it, if anything was joined
  std::size_t entries = 0;                     // ops, calls and ranges before
  std::size_t kept = 0;                        // and after
  // Shorter ones were joined, in ns; 0: nothing was.
  analyzer::Ns shorter_op_ns = 0;
  analyzer::Ns shorter_span_ns = 0;  // calls and ranges
  // As in the timeline, where anything was joined.
  std::vector<Joined> lanes;
  std::vector<Joined> calls;  // by thread
  std::vector<Joined> ranges;
  // By name: how many entries had it before. Names beyond are those of joined entries: the names
  // that occur in each, which is empty where too many different sets of names occur to be listed.
  std::vector<std::uint64_t> counts;
  std::vector<std::vector<std::uint32_t>> joined_names;
};

// What a page of 10 MB holds of deflated data.
inline constexpr std::size_t page_bytes = 7'350'000;

// How many bytes a timeline takes when it is deflated, about.
std::size_t bytes_of(const analyzer::Timeline& timeline);

// What each of several timelines may take of `total` bytes: equal parts, and what those do not need
// that need less is for the others.
std::vector<std::size_t> shares_of(std::size_t total, std::span<const std::size_t> needs);

// How many entries so many bytes have room for.
struct EntryBudget {
  std::size_t ops = 0;
  std::size_t spans = 0;
};
EntryBudget budget_for(const analyzer::Timeline& timeline, std::size_t bytes);

// Makes a timeline that fits, about, by joining neighbours of a lane or thread that are shorter
// than a time and begin within that time of the first of them: they become one entry, from the
// first start to the last end, with all their bytes and no call. The time is doubled until few
// enough are left; longer ones stay as they are, and so do those with one of the `kept` starts (ns,
// sorted). An op whose call was joined leads to what it was joined to.
Thinning thin(const analyzer::Timeline& timeline, EntryBudget budget,
              std::span<const analyzer::Ns> kept = {});

}  // namespace lapscope::reports
