#include "workloads/implicit_sync/call_registry.h"

#include <algorithm>
#include <set>

#include "workloads/harness/guard.h"
#include "workloads/implicit_sync/controls.h"

namespace lapscope::workloads::implicit_sync {
namespace {

bool has_name(const Call& call, std::string_view name) {
  return call.name == name || function_of(call.name) == name;
}

std::string list_functions() {
  std::set<std::string_view> seen;
  std::string list;
  for (const Call& call : all_calls()) {
    const std::string_view function = function_of(call.name);
    if (seen.insert(function).second) list.append(list.empty() ? "" : ", ").append(function);
  }
  return list;
}

}  // namespace

const std::vector<Call>& all_calls() {
  static const std::vector<Call> calls = [] {
    std::vector<Call> all;
    for (const auto family :
         {controls(), setting_calls(), allocation_calls(), pinning_calls(), pool_calls(),
          managed_calls(), copy_calls(), fill_calls(), launch_calls(), module_calls(),
          graph_calls(), stream_calls(), event_calls(), cublas_calls()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    return all;
  }();
  return calls;
}

std::vector<const Call*> select_calls(const std::vector<std::string>& names) {
  for (const auto& name : names) {
    if (std::ranges::any_of(all_calls(), [&](const Call& call) { return has_name(call, name); })) {
      continue;
    }
    throw UsageError("there is no CALL '" + name + "'; --list lists all calls, of the functions " +
                     list_functions());
  }
  std::vector<const Call*> selected;
  for (const Call& call : all_calls()) {
    const bool wanted =
        names.empty() || call.claim.says == Documented::control ||
        std::ranges::any_of(names, [&](const auto& name) { return has_name(call, name); });
    if (wanted) selected.push_back(&call);
  }
  return selected;
}

}  // namespace lapscope::workloads::implicit_sync
