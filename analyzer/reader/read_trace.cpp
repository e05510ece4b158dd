#include "analyzer/reader/read_trace.h"

#include <utility>

#include "analyzer/reader/open_trace.h"
#include "analyzer/reader/read_facts.h"
#include "analyzer/reader/read_ops.h"
#include "analyzer/reader/read_target.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/statements.h"

namespace lapscope::analyzer {
namespace {

TraceFacts facts_of(schema::Database& database) {
  auto capture = read_capture(database);
  TraceFacts facts;
  facts.command = capture[std::string(schema::fact::command)];
  facts.created = capture[std::string(schema::fact::created)];
  facts.driver = capture[std::string(schema::fact::driver_version)];
  facts.cupti = capture[std::string(schema::fact::cupti_version)];
  facts.recorder = "lapscope " + capture[std::string(schema::fact::tool_version)];
  return facts;
}

Trace read(const std::filesystem::path& path) {
  OpenedTrace opened = open_trace(path);
  Trace trace;
  if (opened.format == TraceFormat::lapscope) {
    trace.facts = facts_of(opened.database);
    trace.health = read_health(opened.database);
  }
  if (opened.format == TraceFormat::nsys) {
    // Its default mode: one row for a whole graph launch, and the kernels inside are nowhere.
    constexpr std::string_view graphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
    if (opened.database.has_table(graphs)) {
      const auto launches =
          opened.database.query_int64("SELECT count(*) FROM " + std::string(graphs)).value_or(0);
      if (launches > 0) {
        trace.health.push_back(
            {"graphs-not-traced", Severity::error, launches,
             "The kernels and copies inside " + std::to_string(launches) +
                 " CUDA graph launches were not traced and are in no figure.",
             "Profile with --cuda-graph-trace=node, or with `lapscope record`."});
      }
    }
    trace.health.push_back(
        {"no-channels", Severity::info, 1,
         "Exports of Nsight Systems do not tell hardware channels: copies count by "
         "their direction, even where the driver ran them on a compute channel.",
         "Record with `lapscope record` to know."});
  }
  trace.facts.file = path.string();
  trace.facts.format = opened.format_name;

  ReadHost host = read_host(opened.database);
  ReadOps ops = read_ops(opened.database, host);
  trace.names = std::move(host.names);
  trace.calls = std::move(host.calls);
  trace.overheads = std::move(host.overheads);
  trace.ranges = std::move(host.ranges);
  if (ops.invalid > 0) {
    trace.health.push_back(
        {"invalid-timestamps", Severity::error, ops.invalid,
         std::to_string(ops.invalid) +
             " ops have lost or impossible times and are left out of every figure.",
         "Record a shorter part of the program, or with a newer CUDA toolkit."});
  }
  if (ops.unissued > 0 && trace.calls.size() > 0) {
    trace.health.push_back({"unissued-ops", Severity::info, ops.unissued,
                            "The calls that issued " + std::to_string(ops.unissued) +
                                " ops are not in the trace: gaps before these are unexplained, and "
                                "no NVTX range has them.",
                            ""});
  }
  if (host.invalid > 0) {
    trace.health.push_back(
        {"invalid-host-times", Severity::warning, host.invalid,
         std::to_string(host.invalid) +
             " calls, ranges or overheads of the host have impossible times and are "
             "left out: causes of gaps may be missing.",
         ""});
  }
  auto gpus = read_gpus(opened.database);
  auto streams = read_streams(opened.database);
  for (auto& [id, device_ops] : ops.by_device) {
    trace.devices.push_back({id, std::move(gpus[id].name), std::move(device_ops),
                             std::move(streams[id]), gpus[id].limits});
  }
  return trace;
}

}  // namespace

Trace read_trace(const std::filesystem::path& path) {
  try {
    return read(path);
  } catch (const schema::MissingColumn& error) {
    throw UnreadableTrace("'" + path.string() + "' cannot be judged: its " + error.what() + ".");
  } catch (const schema::SqliteError& error) {
    throw UnreadableTrace("'" + path.string() + "' cannot be read: " + error.what() +
                          ". Copy or record it again.");
  } catch (const std::filesystem::filesystem_error& error) {
    throw UnreadableTrace("'" + path.string() + "' cannot be read: " + error.code().message() +
                          ".");
  }
}

}  // namespace lapscope::analyzer
