#pragma once

#include <filesystem>
#include <ostream>
#include <span>
#include <stdexcept>
#include <vector>

#include "analyzer/ranks/rank_work.h"

// Writes and reads rank summaries. A rank summary has the data of a rank that the analysis of a run
// needs. It is small enough to be copied from every machine to one machine.
namespace lapscope::analyzer {

inline constexpr std::string_view rank_summary_schema = "lapscope-rank-summary/1";

// The limit in bytes of a rank's arrays "collectives" and "busy" together. It is
// rank_summary_step_bytes times the number of steps, but at least rank_summary_least_bytes. To meet
// the limit, the file leaves out pauses in RankWork::other_work that are shorter than
// RankWork::resolution. The reader of the file takes these pauses as work. The file has all
// collectives. If they take more than half of the limit, "busy" gets half of it, and the file
// exceeds the limit.
inline constexpr std::size_t rank_summary_step_bytes = 3000;
inline constexpr std::size_t rank_summary_least_bytes = 16000;

// Writes one JSON object. To keep it short, times are written as differences from earlier times.
// docs/json.md lists the earlier time for each of them.
void write_rank_summary(std::span<const RankWork> ranks, std::ostream& out);

// Whether the first 64 bytes of a file are those of a rank summary.
bool looks_like_rank_summary(const std::filesystem::path& path);

// Reads the ranks from a file of write_rank_summary(). If the file is not such a summary, throws
// std::runtime_error with a sentence for the user.
std::vector<RankWork> read_rank_summary(const std::filesystem::path& path);

}  // namespace lapscope::analyzer
