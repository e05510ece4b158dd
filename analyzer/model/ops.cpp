#include "analyzer/model/ops.h"

#include "analyzer/model/run_sort.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t compute_channel = 1;  // ENUM_LAPSCOPE_CHANNEL_TYPE
constexpr std::int64_t copy_channel = 2;     // ENUM_LAPSCOPE_CHANNEL_TYPE

// ENUM_CUDA_MEMCPY_OPER
constexpr std::int64_t host_to_device = 1;
constexpr std::int64_t device_to_host = 2;
constexpr std::int64_t host_to_array = 3;
constexpr std::int64_t array_to_host = 4;
constexpr std::int64_t array_to_array = 5;
constexpr std::int64_t array_to_device = 6;
constexpr std::int64_t device_to_array = 7;
constexpr std::int64_t device_to_device = 8;
constexpr std::int64_t peer_to_peer = 10;

}  // namespace

std::string_view name_of(Engine engine) {
  constexpr std::string_view names[] = {"compute", "h2d", "d2h", "other", "comm"};
  static_assert(std::size(names) == all_engines.size());
  return names[static_cast<std::size_t>(engine)];
}

Engine engine_of_copy(std::int64_t copy_kind, std::optional<std::int64_t> channel_type) {
  if (channel_type == compute_channel) return Engine::compute;
  switch (copy_kind) {
    case host_to_device:
    case host_to_array:
      return Engine::h2d;
    case device_to_host:
    case array_to_host:
      return Engine::d2h;
    case array_to_array:
    case array_to_device:
    case device_to_array:
    case device_to_device:
      return channel_type == copy_channel ? Engine::other_copy : Engine::compute;
    default:
      return Engine::other_copy;
  }
}

Engine engine_of_memset(std::optional<std::int64_t> channel_type) {
  return channel_type == copy_channel ? Engine::other_copy : Engine::compute;
}

OpKind kind_of_copy(std::int64_t copy_kind) {
  return copy_kind == peer_to_peer ? OpKind::peer_copy : OpKind::memcpy;
}

void sort_by_start(const Ops& ops, std::vector<std::uint32_t>& order) {
  const auto rest = [&ops](std::uint32_t op) {
    return std::tie(ops.end[op], ops.stream[op], ops.kind[op], ops.engine[op], ops.issue[op],
                    ops.name[op], ops.geometry[op], ops.bytes[op], ops.channel[op], ops.memory[op],
                    ops.target[op]);
  };
  run_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    if (ops.start[a] != ops.start[b]) return ops.start[a] < ops.start[b];
    return rest(a) < rest(b);
  });
}

std::uint64_t code_of_op(const Ops& ops, std::uint32_t op) {
  const auto engine = static_cast<std::uint64_t>(ops.engine[op]);
  return std::uint64_t{ops.name[op]} << 32 | static_cast<std::uint64_t>(ops.kind[op]) << 8 | engine;
}

std::uint64_t node_of_op(const Ops& ops, std::uint32_t op) {
  const auto found =
      std::lower_bound(ops.nodes.begin(), ops.nodes.end(), op,
                       [](const OpNode& node, std::uint32_t wanted) { return node.op < wanted; });
  return found == ops.nodes.end() || found->op != op ? 0 : found->node;
}

}  // namespace lapscope::analyzer
