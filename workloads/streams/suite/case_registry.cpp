#include "workloads/streams/suite/case_registry.h"

#include <iterator>

#include "workloads/harness/guard.h"

namespace lapscope::workloads::streams {
namespace {

constexpr std::vector<Case> (*families[])() = {
    pipeline_cases,     default_stream_cases, cublas_cases,         thrust_cases,
    thread_cases,       host_memory_cases,    allocation_cases,     pinning_cases,
    host_sync_cases,    event_chain_cases,    wait_event_cases,     fan_in_cases,
    copy_engine_cases,  room_cases,           resident_cases,       priority_cases,
    queue_cases,        graph_cases,          graph_callback_cases, host_cases,
    lazy_loading_cases, multi_gpu_cases,      peer_cases,           nccl_cases,
    solver_cases,
};

std::vector<Case> collect() {
  std::vector<Case> cases;
  for (const auto family : families) {
    std::vector<Case> members = family();
    std::move(members.begin(), members.end(), std::back_inserter(cases));
  }
  return cases;
}

// Returns the item with this name. The error message calls the items `kind`.
template <typename Item>
const Item& find(const std::vector<Item>& items, std::string_view name, const std::string& kind) {
  std::vector<std::string> names;
  std::string list;
  for (const Item& item : items) {
    if (item.name == name) return item;
    names.push_back(item.name);
    list.append(list.empty() ? "" : ", ").append(item.name);
  }
  const std::string nearest = nearest_name(name, names);
  throw UsageError("there is no " + kind + " '" + std::string(name) + "'" +
                   (nearest.empty() ? "." : "; did you mean '" + nearest + "'?") +
                   " The valid names are: " + list);
}

}  // namespace

const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = collect();
  return cases;
}

const Case& find_case(std::string_view name) { return find(all_cases(), name, "case"); }

const Variant& find_variant(const Case& chosen, std::string_view name) {
  return find(chosen.variants, name, "variant of " + chosen.name);
}

}  // namespace lapscope::workloads::streams
