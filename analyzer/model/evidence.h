#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/model/cause.h"
#include "analyzer/model/trace.h"

// The records that are needed to conclude that a cause occurred, or that it did not occur.
namespace lapscope::analyzer {

// An entry in lists of record kinds. It means that the hardware channels of ops are known. A
// channel is a column of the ops, not a kind of record.
inline constexpr std::string_view hardware_channels = "hardware channels";

// An entry in lists of missing records. It means that bare runs (runs without CUPTI) are missing. A
// conclusion then depends on the time that recording adds, which is not known well enough.
inline constexpr std::string_view bare_runs = "bare runs";

// Returns the kinds of records that show a cause, by their names in TraceFacts::recorded. A trace
// without these records may hide the cause. Records of ops are not in the list, because every
// conclusion needs them.
std::span<const std::string_view> records_of(Cause cause);

// Returns the kinds of records_of() that the trace lacks, except kinds that the program did not
// cause (TraceFacts::without_cause).
std::vector<std::string_view> missing_records(const TraceFacts& facts, Cause cause);

// Removes kinds from TraceFacts::recorded if other records show that the trace lacks some records
// of these kinds:
// - Events or synchronization are removed if a call that must have caused a record has none.
// - Synchronization is also removed if a process waited for a context without known streams, and
//   has streams of unknown contexts.
// - Calls are removed if `calls_missing`, or if an op has no call although an earlier op of its
//   stream has one. Streams run in the order of issue, so the missing call came after the recorded
//   one.
void leave_out_incomplete_kinds(Trace& trace, bool calls_missing);

// Returns the largest number of streams with ops on one device.
std::size_t streams_used(const Trace& trace);
// Whether each device has ops in at most one stream, according to TraceFacts::without_cause.
bool has_one_stream(const TraceFacts& facts);

// Returns TraceFacts::without_cause: the kinds of records that the program did not cause, as the
// other records show. For instance, the program caused no records of events if no call concerns an
// event. If calls are not recorded, the result has no kinds of records that calls cause.
std::vector<std::string> kinds_without_cause(const Trace& trace);

}  // namespace lapscope::analyzer
