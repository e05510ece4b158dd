#include "analyzer/model/describe.h"

#include <algorithm>

namespace lapscope::analyzer {

std::string name_of_op(const Trace& trace, const Device& device, std::uint32_t op) {
  switch (device.ops.kind[op]) {
    case OpKind::kernel:
      return trace.names.text(device.ops.name[op]);
    case OpKind::memset:
      return "memset";
    case OpKind::peer_copy:
      return "copy peer";
    case OpKind::memcpy:
      break;
  }
  return "copy " + std::string(name_of(device.ops.engine[op]));
}

std::string function_name(std::string_view recorded) {
  const std::size_t version = recorded.rfind("_v");
  if (version == std::string_view::npos) return std::string(recorded);
  const std::string_view digits = recorded.substr(version + 2);
  // The runtime's versions are as 3020; a shorter number belongs to the name of a driver function.
  const bool is_version =
      digits.size() >= 4 &&
      std::all_of(digits.begin(), digits.end(), [](char c) { return '0' <= c && c <= '9'; });
  return std::string(is_version ? recorded.substr(0, version) : recorded);
}

}  // namespace lapscope::analyzer
