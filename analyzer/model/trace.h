#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/engine.h"
#include "analyzer/model/health.h"

namespace lapscope::analyzer {

// The device activities of one device, a column each: one op is the same index in all of them. Only
// ops whose times can be believed are here (0 <= start <= end <= latest_time); the reader counts
// the others.
struct Ops {
  std::vector<std::int64_t> start;  // ns since session start
  std::vector<std::int64_t> end;
  std::vector<std::uint32_t> stream;
  std::vector<Engine> engine;
  std::vector<OpKind> kind;

  std::size_t size() const { return start.size(); }
  bool empty() const { return start.empty(); }
  Interval interval(std::size_t op) const { return {start[op], end[op]}; }
};

// 104 days: beyond it a time is a defect of the trace, and every double of this size is still
// exact.
inline constexpr std::int64_t latest_time = std::int64_t{1} << 53;

enum class StreamKind { unknown, blocking, non_blocking, legacy_default };

std::string_view name_of(StreamKind kind);

struct Stream {
  std::uint32_t id = 0;
  std::uint32_t context = 0;
  StreamKind kind = StreamKind::unknown;
  std::optional<std::int64_t> priority;  // lower numbers go first
};

struct Device {
  std::int64_t id = 0;
  std::string name;  // empty when the trace does not tell
  Ops ops;
  std::vector<Stream> streams;  // of the device's contexts, by id
};

// Who recorded what, where. Empty strings where the trace does not tell.
struct TraceFacts {
  std::string file;
  std::string format;  // "lapscope/1" or "nsys/3.24.14"
  std::string command;
  std::string created;  // UTC, ISO 8601
  std::string driver;
  std::string cupti;
  std::string recorder;  // tool and version
};

struct Trace {
  TraceFacts facts;
  std::vector<Device> devices;  // those with ops, by id
  std::vector<HealthRow> health;
};

}  // namespace lapscope::analyzer
