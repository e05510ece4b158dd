#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/analysis/timeline.h"
#include "analyzer/intervals/units.h"

namespace lapscope::reports {

// Additional facts about the entries of a lane or thread after thinning. Each vector has a value
// for each entry, or is empty if nothing was joined.
struct Joined {
  std::vector<std::uint64_t> others;  // how many other entries were joined to the entry
  // The duration of the entry minus the durations of its ops, in ns. If the ops do not overlap,
  // this is the idle time. If they overlap, the value may be negative.
  std::vector<analyzer::Ns> idle;  // only for lanes
};

// The result of thinning a timeline that is too large for a page.
struct Thinning {
  std::optional<analyzer::Timeline> timeline;  // the new timeline, if anything was joined
  std::size_t entries = 0;                     // ops, calls and ranges before thinning
  std::size_t kept = 0;                        // after thinning
  // Ops shorter than this, in ns, were joined. 0: no ops were joined.
  analyzer::Ns shorter_op_ns = 0;
  analyzer::Ns shorter_span_ns = 0;  // the same for calls and ranges
  // Each vector has an element for each lane or thread, or none if nothing was joined.
  std::vector<Joined> lanes;
  std::vector<Joined> calls;  // by thread
  std::vector<Joined> ranges;
  // `counts` has the number of entries with each name before thinning. Joined entries have new
  // names, which have no count. `joined_names` lists, for each new name, the names that it
  // replaces. A list is empty if it would be too long.
  std::vector<std::uint64_t> counts;
  std::vector<std::vector<std::uint32_t>> joined_names;
};

// The size of the compressed data that fits a page of 10 MB.
inline constexpr std::size_t page_bytes = 7'350'000;

// Returns the approximate compressed size of a timeline, in bytes.
std::size_t bytes_of(const analyzer::Timeline& timeline);

// Divides `total` bytes equally among several timelines. A timeline may need less than its part.
// The bytes that it does not need are divided among the other timelines.
std::vector<std::size_t> shares_of(std::size_t total, std::span<const std::size_t> needs);

// The number of entries that fit a number of bytes.
struct EntryBudget {
  std::size_t ops = 0;
  std::size_t spans = 0;
};
EntryBudget budget_for(const analyzer::Timeline& timeline, std::size_t bytes);

// Returns a timeline that fits `budget`. Joins consecutive entries of a lane or thread that are
// shorter than a limit, and whose starts differ by less than the limit. The limit is doubled until
// the entries fit. A joined entry reaches from the first start to the last end. In a lane, it has
// the bytes of all its ops, and no call. An op whose call was joined refers to the joined call.
//
// Two sorts of entries are never joined: long entries, and entries that start at an instant in
// `kept` (ns, sorted).
Thinning thin(const analyzer::Timeline& timeline, EntryBudget budget,
              std::span<const analyzer::Ns> kept = {});

}  // namespace lapscope::reports
