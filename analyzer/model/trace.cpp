#include "analyzer/model/trace.h"

#include <algorithm>

namespace lapscope::analyzer {

std::string_view name_of(StreamKind kind) {
  constexpr std::string_view names[] = {"unknown", "blocking", "non-blocking", "legacy-default"};
  static_assert(std::size(names) == static_cast<std::size_t>(StreamKind::legacy_default) + 1);
  return names[static_cast<std::size_t>(kind)];
}

const CallStream* stream_of_call(const Trace& trace, std::uint32_t call) {
  const auto found = std::lower_bound(
      trace.call_streams.begin(), trace.call_streams.end(), call,
      [](const CallStream& one, std::uint32_t wanted) { return one.call < wanted; });
  return found == trace.call_streams.end() || found->call != call ? nullptr : &*found;
}

std::span<const Message> messages_of(const Trace& trace, std::uint32_t call) {
  const auto of_call =
      std::equal_range(trace.messages.begin(), trace.messages.end(), Message{.call = call},
                       [](const Message& a, const Message& b) { return a.call < b.call; });
  return {of_call.first, of_call.second};
}

std::vector<std::uint64_t> dependencies(const Topology& topology, std::uint64_t node, Ns when) {
  const auto& all = topology.dependencies;
  auto next = std::lower_bound(
      all.begin(), all.end(), node,
      [](const NodeDependency& one, std::uint64_t wanted) { return one.node < wanted; });
  std::vector<std::uint64_t> result;
  for (; next != all.end() && next->node == node && next->time <= when; ++next) {
    std::erase(result, next->on);
    if (!next->is_removed) result.push_back(next->on);
  }
  return result;
}

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
  // Versions of the runtime have at least four digits, such as 3020. A shorter number belongs to
  // the name of a driver function.
  const bool is_version = digits.size() >= 4 &&
                          std::ranges::all_of(digits, [](char c) { return '0' <= c && c <= '9'; });
  return std::string(is_version ? recorded.substr(0, version) : recorded);
}

}  // namespace lapscope::analyzer
