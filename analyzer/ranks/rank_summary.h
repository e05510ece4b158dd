#pragma once

#include <filesystem>
#include <ostream>
#include <span>
#include <stdexcept>
#include <vector>

#include "analyzer/ranks/rank_work.h"

// Writes and reads rank summaries. A rank summary has the data that the analysis of a run needs
// from each rank. The file has some kB, much less than the trace. So it can be copied from every
// machine to one machine. To merge several files, read them all.
namespace lapscope::analyzer {

inline constexpr std::string_view rank_summary_schema = "lapscope-rank-summary/1";

// The limit of a rank's part of the file, in bytes, without "issue". It is rank_summary_step_bytes
// times the number of steps of the rank, but at least rank_summary_least_bytes. All collectives are
// kept. To stay within the limit, the file leaves out the shortest pauses in the rank's other work.
// These pauses count as work. RankWork::resolution says how long these pauses are at most.
inline constexpr std::size_t rank_summary_step_bytes = 3000;
inline constexpr std::size_t rank_summary_least_bytes = 16000;

// Writes one JSON object. Times are written as differences in ns, so that they are short.
// docs/json.md says to which earlier time each difference refers.
void write_rank_summary(std::span<const RankWork> ranks, std::ostream& out);

// Whether the first 64 bytes of a file are those of a rank summary.
bool looks_like_rank_summary(const std::filesystem::path& path);

// Reads the ranks from a file of write_rank_summary(). Throws std::runtime_error with a sentence
// that names the file.
std::vector<RankWork> read_rank_summary(const std::filesystem::path& path);

}  // namespace lapscope::analyzer
