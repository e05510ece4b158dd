#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "collector/trace/trace_writer.h"
#include "readers/xprof/profile_events.h"

// What a profile says beside its events.
namespace lapscope::xprof {

// `gpus` by device. Of the GPUs in JSON only their existence is known: they have no row.
void write_gpus(const std::map<std::int64_t, schema::GpuRow>& gpus, bool is_amd,
                trace::TraceWriter& writer);

// `counts` by codes of schema::import_loss, and what the session says was lost.
void write_losses(const std::map<std::string_view, std::int64_t>& counts, const Session& session,
                  trace::TraceWriter& writer);

// Whose session it was, and when it began.
void write_session(const Session& session, trace::TraceWriter& writer);

}  // namespace lapscope::xprof
