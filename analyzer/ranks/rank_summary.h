#pragma once

#include <filesystem>
#include <ostream>
#include <span>
#include <stdexcept>
#include <vector>

#include "analyzer/ranks/rank_work.h"

// What the analysis of a run needs of each rank, as a file that is small enough to be copied from
// every machine to one: kB instead of the trace. Several are merged by reading them all.
namespace lapscope::analyzer {

inline constexpr std::string_view rank_summary_schema = "lapscope-rank-summary/1";

// Bytes of a rank's part: so many for each of its steps, and so many at least. Collectives are all
// kept. Where there is more, the shortest pauses of its other work are left out: they count as
// work, and RankWork::resolution says how long they are at most.
inline constexpr std::size_t rank_summary_step_bytes = 3000;
inline constexpr std::size_t rank_summary_least_bytes = 16000;

// One JSON object. Instants are differences in ns, so that they are short; docs/json.md says of
// what.
void write_rank_summary(std::span<const RankWork> ranks, std::ostream& out);

// Whether a file is one, by its first line.
bool looks_like_rank_summary(const std::filesystem::path& path);

// What write_rank_summary() wrote. Throws std::runtime_error with a sentence that names the file.
std::vector<RankWork> read_rank_summary(const std::filesystem::path& path);

}  // namespace lapscope::analyzer
