#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "analyzer/intervals/units.h"
#include "collector/trace/trace_writer.h"
#include "readers/kineto/kineto_events.h"

// What a file of PyTorch's profiler says beside its timeline.
namespace lapscope::kineto {

// Session times count from a day before the first event of the file, in ns: others may have begun
// earlier, and no time of a session is negative.
inline constexpr analyzer::Ns before_first = std::int64_t{86'400} * 1'000'000'000;

// Throws UnreadableJson where the text that was read is no trace of PyTorch's profiler.
void check_kind(const std::filesystem::path& path, const Header& header);

void write_devices(const Header& header, trace::TraceWriter& writer);

// `pid` is the process that ops belong to, `first` the start of the first event in ns since
// baseTimeNanoseconds.
void write_facts(const Header& header, std::optional<std::int64_t> pid,
                 std::optional<analyzer::Ns> first, trace::TraceWriter& writer);

}  // namespace lapscope::kineto
