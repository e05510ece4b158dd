#include <algorithm>
#include <array>

#include "analyzer/fixes/fix.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

constexpr std::array all = {
    &split_streams,    &own_stream_for_default,
    &drop_event_waits, &copy_other_way,
    &batch_copies,     &leave_room,
    &more_connections, &host_functions_elsewhere,
    &fork_graphs,      &graph_per_stream,
    &drop_syncs,       &pin_memory,
    &hoist_allocation, &hoist_pinning,
    &load_before,      &no_launch_blocking,
    &launch_graphs,    &host_work_elsewhere,
    &hold_no_lock,
};

}  // namespace

std::span<const Fix* const> fixes() { return those_on<Fix>("fix", all); }

const Fix* fix_for(Cause cause) {
  const auto known = fixes();
  const auto found = std::ranges::find(known, cause, &Fix::cause);
  return found == known.end() ? nullptr : *found;
}

}  // namespace lapscope::analyzer
