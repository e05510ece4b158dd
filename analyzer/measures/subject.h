#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// A device with what is asked of its ops over and over, made once for all scopes. Refers to the
// device, which must outlive it.
struct Subject {
  // `communicates` by index in the trace's names; a name beyond its end does not.
  Subject(const Device& judged, std::vector<bool> communicates);

  const Device& device;
  std::vector<bool> communication;     // by name
  std::vector<std::int64_t> capacity;  // by geometry: blocks that fit at once; 0 where not known

  bool is_communication(std::uint32_t op) const {
    const std::uint32_t name = device.ops.name[op];
    return name < communication.size() && communication[name];
  }
};

}  // namespace lapscope::analyzer
