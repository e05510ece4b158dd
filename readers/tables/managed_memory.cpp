#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"
#include "collector/schema/enumeration.h"
#include "collector/schema/tables.h"
#include "readers/tables/reading_health.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::CpuPageFaultRow;
using schema::GpuPageFaultRow;

// Returns 0 if the number is implausible, so that sums of results do not overflow.
std::int64_t count_of(std::int64_t faults) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  return 0 <= faults && faults <= most ? faults : 0;
}

void read_device_faults(schema::Database& database, Trace& trace) {
  using Columns =
      schema::TolerantSelection<COLUMNS(GpuPageFaultRow, start, end, deviceId, numberOfPageFaults)>;
  for_each_row<Columns>(database, [&trace](const GpuPageFaultRow& row) {
    const bool is_known = believable(row.start, row.end);
    trace.device_faults.push_back({row.deviceId,
                                   is_known ? Interval{row.start, row.end} : Interval{0, 0},
                                   count_of(row.numberOfPageFaults)});
  });
  std::ranges::sort(trace.device_faults, {}, [](const DeviceFault& one) {
    return std::tie(one.interval.start, one.interval.end, one.device, one.count);
  });
}

// Host faults that wait for their page, by address.
using OpenFaults = std::multimap<std::int64_t, HostFault*>;

void close(OpenFaults& open, const Migration& migration) {
  if (!migration.address || migration.bytes <= 0) return;
  Ns last = 0;
  if (__builtin_add_overflow(*migration.address, migration.bytes - 1, &last)) return;
  const auto from = open.lower_bound(*migration.address);
  const auto to = open.upper_bound(last);
  for (auto fault = from; fault != to; ++fault) {
    Interval& waits = fault->second->interval;
    if (migration.interval.start - waits.start > assumed::longest_fault) continue;
    waits.end = std::max(waits.start, migration.interval.end);
  }
  open.erase(from, to);
}

// Ends each host fault with the migration that brings its page.
//
//   host faults   a..b.......a.    the first a ends with A, and b ends with B
//   to the host   .AA...BBBB...    no known migration ends the second a
void read_host_faults(schema::Database& database, Trace& trace) {
  using Columns =
      schema::TolerantSelection<COLUMNS(CpuPageFaultRow, start, address, CpuInstruction)>;
  struct Touched {
    HostFault fault;
    std::int64_t address = 0;
  };
  std::vector<Touched> touched;
  for_each_row<Columns>(database, [&](const CpuPageFaultRow& row) {
    const Ns start = believable(row.start, row.start) ? row.start : 0;
    const bool is_name = row.CpuInstruction != schema::no_integer;
    touched.push_back(
        {{{start, start}, is_name ? trace.names.index_of(row.CpuInstruction) : 0}, row.address});
  });
  std::ranges::sort(touched, {}, [](const Touched& one) {
    return std::tie(one.fault.interval.start, one.address, one.fault.function);
  });
  OpenFaults open;
  auto next = touched.begin();
  for (const Migration& migration : trace.migrations) {  // by start
    if (migration.direction != Migration::Direction::to_host) continue;
    const Ns reached = migration.interval.start + assumed::clock_tolerance;
    for (; next != touched.end() && next->fault.interval.start <= reached; ++next) {
      open.emplace(next->address, &next->fault);
    }
    close(open, migration);
  }
  for (const Touched& one : touched) trace.host_faults.push_back(one.fault);
}

// Returns the number of managed allocations in the memory records. A __managed__ variable counts as
// an allocation. If the records show none, returns the number of calls that allocate managed
// memory.
std::int64_t managed_allocations(schema::Database& database, const Trace& trace) {
  using schema::MemoryRow;
  using Columns = schema::TolerantSelection<COLUMNS(MemoryRow, memKind, memoryOperationType)>;
  constexpr std::int64_t managed_variable = 6;  // ENUM_CUDA_MEM_KIND
  constexpr std::int64_t allocation = 0;        // ENUM_CUDA_DEV_MEM_EVENT_OPER
  std::int64_t allocations = 0;
  for_each_row<Columns>(database, [&allocations](const MemoryRow& row) {
    const bool is_managed =
        row.memKind == schema::codes::managed || row.memKind == managed_variable;
    allocations += is_managed && row.memoryOperationType == allocation;
  });
  if (allocations > 0) return allocations;
  const Calls& calls = trace.calls;
  for (std::uint32_t call = 0; call < calls.size(); ++call) {
    if (calls.kind[call] != CallKind::allocate) continue;
    const std::string& name = trace.names.text(calls.name[call]);
    allocations += name.starts_with("cudaMallocManaged") || name.starts_with("cuMemAllocManaged");
  }
  return allocations;
}

}  // namespace

void add_managed_memory(schema::Database& database, Trace& trace) {
  const auto migrations = static_cast<std::int64_t>(trace.migrations.size());
  read_device_faults(database, trace);
  read_host_faults(database, trace);
  const std::int64_t seen =
      migrations + static_cast<std::int64_t>(trace.device_faults.size() + trace.host_faults.size());
  if (seen > 0) {
    trace.health.push_back({HealthKind::managed_migrations, seen});
    return;
  }
  const std::int64_t allocations =
      trace.facts.has_all("UNIFIED_MEMORY_COUNTER") ? 0 : managed_allocations(database, trace);
  if (allocations > 0) trace.health.push_back({trace.facts.lacks.page_faults, allocations});
}

}  // namespace lapscope::analyzer
