#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/model/cause.h"
#include "analyzer/model/trace.h"

// Which records a conclusion rests on: that a cause was found, and that it was not.
namespace lapscope::analyzer {

// Stands among kinds of records where ops have their channel. It is not a kind of record, but a
// column.
inline constexpr std::string_view hardware_channels = "hardware channels";

// Stands among what is missing where an answer changes with what recording adds, and nobody knows
// that well enough.
inline constexpr std::string_view bare_runs = "bare runs";

// Kinds of records, as in TraceFacts::recorded, without which a program may suffer from a cause and
// not show it. Those of ops are not among them: everything rests on these, and a trace that lacks
// some is defective as a whole.
std::span<const std::string_view> records_of(Cause cause);

// Of these kinds, returns those that the trace lacks although the program caused such records, or
// may have.
std::vector<std::string_view> missing_records(const TraceFacts& facts, Cause cause);

// Takes kinds out of TraceFacts::recorded of which other records show that some are missing: events
// and synchronization where calls must have caused a record and have none; calls where an op was
// issued by none, though one before it in its stream was (streams run in the order of issue, so
// that it was called later), or where `calls_missing`. Synchronization, too, where a wait is for a
// context of which no stream is known, and the context of some streams is not known.
void leave_out_incomplete_kinds(Trace& trace, bool calls_missing);

// Streams with ops, of the device that has most of them.
std::size_t streams_used(const Trace& trace);
// Whether no device has ops in several, as kinds_without_cause() found.
bool has_one_stream(const TraceFacts& facts);

// TraceFacts::without_cause: kinds of records that what is in the trace shows not to have been
// caused, as records of events where no call is about one. Nothing where calls are not recorded.
std::vector<std::string> kinds_without_cause(const Trace& trace);

}  // namespace lapscope::analyzer
