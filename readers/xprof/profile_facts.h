#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "collector/trace/trace_writer.h"
#include "readers/xprof/profile_events.h"

// Writes what a profile tells besides its events.
namespace lapscope::xprof {

// Writes a row per GPU. `gpus` is indexed by device. Skips GPUs without a name and without the
// number of multiprocessors. GPUs from JSON have neither.
void write_gpus(const std::map<std::int64_t, schema::GpuRow>& gpus, bool is_amd,
                trace::TraceWriter& writer);

// Writes a row for each kind of lost data. `counts` has the losses that the import counted, by the
// codes of schema::import_loss. The session may report further losses.
void write_losses(const std::map<std::string_view, std::int64_t>& counts, const Session& session,
                  trace::TraceWriter& writer);

// Writes host and start time of the session.
void write_session(const Session& session, trace::TraceWriter& writer);

}  // namespace lapscope::xprof
