#include "readers/tables/read_host.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "analyzer/intervals/units.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::CpuTimeRow;

struct CpuReading {
  Ns time = 0;
  Ns on_cpu = 0;
};

using CpuReadings = std::map<std::int64_t, std::vector<CpuReading>>;  // by global thread id

CpuReadings read_clocks(schema::Database& database) {
  CpuReadings readings;
  using Columns = schema::Selection<COLUMNS(CpuTimeRow, start, globalTid, onCpuNs)>;
  for_each_row<Columns>(database, [&readings](const CpuTimeRow& row) {
    if (!believable(row.start, row.start) || !believable(0, row.onCpuNs)) return;
    readings[row.globalTid].push_back({row.start, row.onCpuNs});
  });
  for (auto& [thread, of_thread] : readings) {
    std::ranges::sort(of_thread, {},
                      [](const CpuReading& one) { return std::tie(one.time, one.on_cpu); });
  }
  return readings;
}

// Returns the time in `pause` for which the thread was off its processor. Considers only the part
// of the pause between the two readings. The readings show how long the thread was off its
// processor, but not when. The result begins at the begin of this part.
//
// The reading `before` is often made at the begin of the call that precedes the pause. `in_call` is
// the time from this reading to the end of the call, if the thread surely ran in this time, else 0.
Interval off_processor(const CpuReading& before, const CpuReading& behind, Interval pause,
                       Ns in_call) {
  const Interval between{std::max(before.time, pause.start), std::min(behind.time, pause.end)};
  // Ignores the readings if the thread's clock went back between them.
  if (behind.on_cpu < before.on_cpu) return {};
  const Ns ran = std::max<Ns>(0, behind.on_cpu - before.on_cpu - in_call);
  return {between.start, std::max(between.start, between.end - ran)};
}

std::vector<HostState> states_of(const Calls& calls, const Calls::Thread& thread,
                                 const std::vector<CpuReading>& readings) {
  std::vector<HostState> states;
  std::size_t next = 0;
  for (std::uint32_t call = thread.first; call + 1 < thread.last; ++call) {
    const Interval pause{calls.end[call], calls.start[call + 1]};
    while (next < readings.size() && readings[next].time <= pause.start) ++next;
    // Visits the readings from the last one before the pause to the first one after it.
    for (std::size_t i = next; i < readings.size(); ++i) {
      if (i == 0) continue;
      const Interval call_behind = calls.interval(call).within({readings[i - 1].time, pause.start});
      const Ns in_call = calls.kind[call] == CallKind::launch ? call_behind.length() : 0;
      const Interval off = off_processor(readings[i - 1], readings[i], pause, in_call);
      if (off.start < off.end) states.push_back({HostState::Kind::not_running, 0, off});
      if (readings[i].time >= pause.end) break;
    }
  }
  return states;
}

}  // namespace

void read_cpu_times(schema::Database& database, Trace& trace) {
  const CpuReadings readings = read_clocks(database);
  if (readings.empty()) return;
  const Calls& calls = trace.calls;
  trace.host_states.resize(calls.threads.size());
  for (std::size_t t = 0; t < calls.threads.size(); ++t) {
    const auto of_thread = readings.find(calls.threads[t].global_tid);
    if (of_thread == readings.end()) continue;
    trace.host_states[t] = states_of(calls, calls.threads[t], of_thread->second);
  }
}

}  // namespace lapscope::analyzer
