#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/model/cause.h"
#include "analyzer/model/trace.h"

// Which kinds of records show whether a cause occurred.
namespace lapscope::analyzer {

// An entry of lists of record kinds. It stands for the hardware channels of ops, which are a column
// of the ops and not records of their own.
inline constexpr std::string_view hardware_channels = "hardware channels";

// An entry of LookedFor::missing. Without bare runs (runs without CUPTI), the time that recording
// adds is not known well enough to decide whether the cause occurred.
inline constexpr std::string_view bare_runs = "bare runs";

// Returns the kinds of records (names of TraceFacts::recorded) that lapscope needs to find a cause.
// Records of ops are not in the result, because every conclusion needs them.
std::span<const std::string_view> records_of(Cause cause);

// Returns the kinds from records_of() that the trace lacks. Leaves out the kinds in
// TraceFacts::without_cause.
std::vector<std::string_view> missing_records(const TraceFacts& facts, Cause cause);

// Removes a kind from TraceFacts::recorded if other records show that some of its records are
// missing:
// - Events or synchronization: a call that must have caused a record has none.
// - Synchronization: the process waited for a context, but no stream of this context is known. The
//   process also has streams whose context is not known. They may be streams of this context.
// - Calls: `calls_missing` is set, or an op has no call although an earlier op of its stream has
//   one. Streams run in the order of issue, so the missing call came later than a recorded call.
void leave_out_incomplete_kinds(Trace& trace, bool calls_missing);

// Returns the largest number of streams with ops on one device.
std::size_t streams_used(const Trace& trace);
// Whether each device has ops in at most one stream, according to TraceFacts::without_cause.
bool has_one_stream(const TraceFacts& facts);

// Returns the kinds of records that the program did not cause (TraceFacts::without_cause). For
// example, if no call concerns an event, the program caused no records of events. If the calls were
// not recorded, the result contains no kind that calls cause.
std::vector<std::string> kinds_without_cause(const Trace& trace);

}  // namespace lapscope::analyzer
