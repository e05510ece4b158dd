#include "readers/tables/read_host.h"

#include <algorithm>
#include <tuple>

#include "analyzer/intervals/median.h"
#include "analyzer/intervals/units.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::HostSampleCountsRow;
using schema::HostSampleRow;

std::vector<HostSampleRow> rows_of(schema::Database& database) {
  using Columns = schema::TolerantSelection<COLUMNS(HostSampleRow, start, globalTid, state, cpuNs,
                                                    runnableNs, holderTid, callchainId)>;
  std::vector<HostSampleRow> rows;
  for_each_row<Columns>(database, [&rows](const HostSampleRow& row) {
    if (believable(row.start, row.start)) rows.push_back(row);
  });
  const auto key = [](const HostSampleRow& row) { return std::tie(row.globalTid, row.start); };
  const auto is_before = [&key](const HostSampleRow& a, const HostSampleRow& b) {
    return key(a) < key(b);
  };
  // A thread has at most one sample at a time. If several rows have the same time, the first row is
  // kept.
  if (!std::is_sorted(rows.begin(), rows.end(), is_before)) {
    std::stable_sort(rows.begin(), rows.end(), is_before);
  }
  const auto last = std::unique(rows.begin(), rows.end(),
                                [&key](const auto& a, const auto& b) { return key(a) == key(b); });
  rows.erase(last, rows.end());
  return rows;
}

ThreadState state_of(std::int64_t code) {
  const bool is_known = 0 <= code && code < static_cast<std::int64_t>(thread_states);
  return is_known ? static_cast<ThreadState>(code) : ThreadState::unknown;
}

std::int64_t time_told(std::optional<Ns> ns) {
  return ns && believable(0, *ns) ? *ns : HostSamples::not_told;
}

// Returns one column of values; empty if no row has a value.
template <class F>
std::vector<std::int64_t> column(const std::vector<HostSampleRow>& rows, std::int64_t nothing,
                                 F&& told) {
  std::vector<std::int64_t> values;
  const auto is_told = [&](const HostSampleRow& row) { return told(row) != nothing; };
  if (std::none_of(rows.begin(), rows.end(), is_told)) return values;
  values.reserve(rows.size());
  for (const HostSampleRow& row : rows) values.push_back(told(row));
  return values;
}

// Returns the median time between consecutive samples of a thread; 0 if no thread has two samples.
std::int64_t usual_interval(const HostSamples& samples) {
  std::vector<std::int64_t> between;
  for (const HostSamples::Thread& thread : samples.threads) {
    for (std::uint32_t i = thread.first + 1; i < thread.last; ++i) {
      between.push_back(samples.time[i] - samples.time[i - 1]);
    }
  }
  if (between.empty()) return 0;
  return median_of(between);
}

std::vector<HostSamples::Collections> collections_of(schema::Database& database) {
  using schema::CollectionsRow;
  using Columns = schema::TolerantSelection<COLUMNS(CollectionsRow, afterLook, byLook, generation,
                                                    collections, start, end)>;
  std::vector<HostSamples::Collections> collections;
  for_each_row<Columns>(database, [&collections](const CollectionsRow& row) {
    const bool is_sound = believable(row.afterLook, row.byLook) && row.collections > 0 &&
                          0 <= row.generation &&
                          row.generation < static_cast<std::int64_t>(HostSamples::generations);
    if (!is_sound) return;
    HostSamples::Collections& one = collections.emplace_back();
    one.looks = {row.afterLook, row.byLook};
    one.count = row.collections;
    one.generation = static_cast<std::uint8_t>(row.generation);
    if (row.start && row.end && believable(*row.start, *row.end)) one.end = *row.end;
  });
  return collections;
}

// Sets the sampling interval. Adds a health row if more than one sample in 20 was lost. A sample is
// lost if it was taken late, or if its stack changed while it was read. A sample without a stack is
// not lost, because a thread outside of Python may have no stack.
void add_counts(schema::Database& database, ReadSamples& read) {
  using Columns =
      schema::TolerantSelection<COLUMNS(HostSampleCountsRow, intervalNs, taken, torn, late)>;
  for_each_row<Columns>(database, [&read](const HostSampleCountsRow& row) {
    if (row.intervalNs > 0 && believable(0, row.intervalNs)) {
      read.samples.interval_ns = row.intervalNs;
    }
    constexpr std::int64_t few = 20;  // a loss of one sample in 20 is negligible
    const std::int64_t missing =
        std::max<std::int64_t>(0, row.late) + std::max<std::int64_t>(0, row.torn);
    if (missing > row.taken / few) {
      read.health.push_back(
          {HealthKind::host_samples_lost, missing, {row.taken, row.late, row.torn}});
    }
  });
}

}  // namespace

ReadSamples read_host_samples(schema::Database& database) {
  ReadSamples read;
  if (!has_table<HostSampleRow>(database)) return read;
  const std::vector<HostSampleRow> rows = rows_of(database);
  HostSamples& samples = read.samples;
  for (const HostSampleRow& row : rows) {
    const auto index = static_cast<std::uint32_t>(samples.time.size());
    if (samples.threads.empty() || samples.threads.back().global_tid != row.globalTid) {
      samples.threads.push_back({row.globalTid, index, index});
    }
    samples.threads.back().last = index + 1;
    samples.time.push_back(row.start);
    samples.state.push_back(state_of(row.state));
    read.chains.push_back(row.callchainId.value_or(ReadSamples::no_chain));
  }
  samples.cpu_ns = column(rows, HostSamples::not_told,
                          [](const HostSampleRow& row) { return time_told(row.cpuNs); });
  samples.ready_ns = column(rows, HostSamples::not_told,
                            [](const HostSampleRow& row) { return time_told(row.runnableNs); });
  samples.holder =
      column(rows, 0, [](const HostSampleRow& row) { return row.holderTid.value_or(0); });
  samples.collections = collections_of(database);
  add_counts(database, read);
  // The sampler limits its use of a processor. So it may take fewer samples than its rate requires.
  samples.interval_ns = std::max(samples.interval_ns, usual_interval(samples));
  constexpr std::int64_t second = 1'000'000'000;
  if (samples.interval_ns == 0) samples.interval_ns = second;
  return read;
}

}  // namespace lapscope::analyzer
