#include "tests/analyzer/support/trace_file.h"

#include <algorithm>

#include "collector/schema/capture_facts.h"

namespace lapscope::test {

namespace fs = std::filesystem;
namespace fact = schema::fact;

void write_trace(const fs::path& path, const std::function<void(trace::TraceWriter&)>& fill) {
  trace::TraceWriter writer(path);
  writer.set_fact(fact::recording, std::string(schema::recording_state::complete));
  writer.set_fact(fact::command, "./synthetic");
  writer.set_fact(fact::created, "2026-01-02T03:04:05Z");
  writer.set_fact(fact::tool_version, "0.0.0");
  writer.set_fact(fact::driver_version, "580.1");
  writer.set_fact(fact::cupti_version, "130001");
  writer.set_fact(fact::flush_period_ms, "200");
  fill(writer);
  writer.finish();
}

schema::KernelRow kernel(std::int64_t start, std::int64_t end, std::int64_t stream,
                         std::int64_t device) {
  schema::KernelRow row;
  row.start = start;
  row.end = end;
  row.streamId = stream;
  row.deviceId = device;
  return row;
}

schema::MemcpyRow memcpy(std::int64_t start, std::int64_t end, std::int64_t copy_kind,
                         std::optional<std::int64_t> channel_type, std::int64_t device) {
  schema::MemcpyRow row;
  row.start = start;
  row.end = end;
  row.streamId = 7;
  row.deviceId = device;
  row.copyKind = copy_kind;
  row.channelType = channel_type;
  return row;
}

schema::MemsetRow memset(std::int64_t start, std::int64_t end, std::int64_t device) {
  schema::MemsetRow row;
  row.start = start;
  row.end = end;
  row.streamId = 7;
  row.deviceId = device;
  return row;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace lapscope::test
