#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "collector/schema/tables/host.h"

namespace lapscope::decode {

// Pairs the two records of an NVTX range by their marker id. Records of different threads come in
// different buffers, so that the end of a range can arrive before its start.
class NvtxRanges {
 public:
  struct End {
    std::int64_t time;
    std::int64_t global_tid;
  };

  // Each returns the whole range once both records are known.
  std::optional<schema::NvtxRow> start(schema::NvtxRow range);
  std::optional<schema::NvtxRow> end(std::int64_t marker_id, End end);

  // Ranges that never ended (or not before the trace did), for writing with no end.
  std::unordered_map<std::int64_t, schema::NvtxRow> take_open();

  // The id of a domain by name; `is_new` at its first appearance. The default domain ("") is 0.
  std::int64_t domain(const std::string& name, bool& is_new);

 private:
  std::unordered_map<std::int64_t, schema::NvtxRow> open_;
  std::unordered_map<std::int64_t, End> early_ends_;
  std::unordered_map<std::string, std::int64_t> domains_;
};

}  // namespace lapscope::decode
