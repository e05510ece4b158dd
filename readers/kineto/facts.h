#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "analyzer/intervals/units.h"
#include "collector/trace/trace_writer.h"
#include "readers/kineto/kineto_events.h"

// Writes the contents of a PyTorch profiler file, except the timeline, into a trace.
namespace lapscope::kineto {

// Session time 0 lies this many ns (one day) before the start of the first event in the file. The
// day is a margin: events later in the file may start earlier, and no session time may be negative.
inline constexpr analyzer::Ns before_first = std::int64_t{86'400} * 1'000'000'000;

// Throws UnreadableJson if the file is not a trace of PyTorch's profiler.
void check_kind(const std::filesystem::path& path, const Header& header);

void write_devices(const Header& header, trace::TraceWriter& writer);

// `pid` is the process of the ops. `first` is the start of the first event, in ns since
// baseTimeNanoseconds.
void write_facts(const Header& header, std::optional<std::int64_t> pid,
                 std::optional<analyzer::Ns> first, trace::TraceWriter& writer);

}  // namespace lapscope::kineto
