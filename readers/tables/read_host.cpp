#include "readers/tables/read_host.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/limits.h"
#include "collector/schema/enumeration.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::Database;
using schema::NvtxRow;
using schema::OverheadRow;
using schema::Selection;
using schema::Statement;
using schema::StringRow;

OverheadKind overhead_kind(std::int64_t type) {  // ENUM_CUPTI_OVERHEAD_TYPE
  switch (type) {
    case 2:  // the driver's compiler
    case 6:
    case 7:
      return OverheadKind::module_load;
    case 8:
      return OverheadKind::command_buffer_full;
    default:
      return OverheadKind::profiler;
  }
}

void read_overheads(Database& database, ReadHost& host) {
  using Columns = Selection<COLUMNS(OverheadRow, start, end, globalTid, overheadType)>;
  for_each_row<Columns>(database, [&host](const OverheadRow& row) {
    if (!believable(row.start, row.end)) {
      ++host.invalid;
      return;
    }
    host.overheads.push_back(
        {{row.start, row.end}, overhead_kind(row.overheadType), row.globalTid.value_or(0)});
  });
  std::ranges::sort(host.overheads, {}, [](const Overhead& one) {
    return std::tie(one.interval.start, one.interval.end, one.global_tid, one.kind);
  });
}

// Numbers the domains by id, so that the numbers do not depend on the order of rows.
void number_by_id(const std::map<std::int64_t, std::uint32_t>& met, NvtxRanges& ranges) {
  std::vector<std::uint32_t> number(met.size());
  std::uint32_t next = 0;
  for (const auto& [id, index] : met) number[index] = id == 0 ? 0 : ++next;
  for (NvtxRange& range : ranges) range.domain = number[range.domain] & NvtxRange::domains;
}

// If the last range that was read is an operator of PyTorch, adds an entry to the operators. The
// text or the columns of the range show whether it is one.
void add_operator(std::optional<Operator> operation, const NvtxRow& row, ReadHost& host) {
  if (row.sequence && *row.sequence >= 0) {
    if (!operation) operation.emplace();
    operation->sequence = *row.sequence;
    operation->is_backward = operation->is_backward || row.isBackward == 1;
  }
  if (!operation) return;
  operation->interval = host.ranges.back().interval;
  operation->global_tid = host.ranges.back().global_tid;
  host.operators.push_back(*operation);
}

void read_ranges(Database& database, const Names& names, std::optional<Ns> recording_end,
                 ReadHost& host) {
  if (!has_table<NvtxRow>(database)) return;
  using Columns = Selection<COLUMNS(NvtxRow, start, end, eventType, globalTid, textId, text,
                                    domainId, jsonTextId, jsonText, sequence, isBackward)>;
  using namespace schema::codes;
  std::unordered_map<std::string, std::uint32_t> own;
  host.ranges.reserve(static_cast<std::size_t>(rows_at_most<NvtxRow>(database)));
  std::map<std::int64_t, std::uint32_t> domains{{0, 0}};                 // number by id, as met
  std::unordered_map<std::uint32_t, std::optional<Operator>> operators;  // by name
  const auto text_of = [&](std::uint32_t name) -> const std::string& {
    return name < names.size() ? names.text(name) : host.own_names[name - names.size()];
  };
  const auto index_of_own = [&](std::string text) {
    const auto [known, is_new] =
        own.try_emplace(std::move(text), static_cast<std::uint32_t>(names.size() + own.size()));
    if (is_new) host.own_names.push_back(known->first);
    return known->second;
  };
  for_each_row<Columns>(database, [&](NvtxRow& row) {
    if (row.eventType == nvtx_mark) ++host.markers;
    if (row.eventType != push_pop_range && row.eventType != start_end_range) return;
    host.markers += row.end ? 2 : 1;
    const Interval interval{row.start, row.end.value_or(latest_time)};
    if (!believable(interval.start, interval.end)) {
      ++host.invalid;
      return;
    }
    if (recording_end && row.end && *row.end - *recording_end > assumed::clocks_apart) {
      ++host.late_ranges;
      return;
    }
    std::uint32_t name = names.index_of(row.textId.value_or(-1));
    if (row.text) name = index_of_own(std::move(*row.text));
    const std::uint32_t met =
        domains.try_emplace(row.domainId.value_or(0), static_cast<std::uint32_t>(domains.size()))
            .first->second;
    host.ranges.push_back({interval, row.globalTid.value_or(0), name, met & NvtxRange::domains,
                           row.eventType == start_end_range});
    std::uint32_t payload = row.jsonTextId ? names.index_of(*row.jsonTextId) : no_index;
    if (row.jsonText && is_payload_of_nccl(*row.jsonText)) {
      payload = index_of_own(std::move(*row.jsonText));
    }
    if (payload != no_index || is_group(text_of(name))) {
      host.communication.push_back({interval, row.globalTid.value_or(0), name, payload});
    }
    if (host.calls.stacks.empty()) return;
    const auto [operation, is_new_name] = operators.try_emplace(name);
    if (is_new_name) operation->second = operator_of(text_of(name));
    add_operator(operation->second, row, host);
  });
  number_by_id(domains, host.ranges);
  std::sort(host.ranges.begin(), host.ranges.end(), [&](const NvtxRange& a, const NvtxRange& b) {
    if (a.interval.start != b.interval.start) return a.interval.start < b.interval.start;
    if (a.interval.end != b.interval.end) return a.interval.end > b.interval.end;
    if (a.global_tid != b.global_tid) return a.global_tid < b.global_tid;
    if (a.name != b.name) return text_of(a.name) < text_of(b.name);
    if (a.domain != b.domain) return a.domain < b.domain;
    return a.is_process_wide < b.is_process_wide;
  });
}

}  // namespace

ReadNames read_names(Database& database, const std::filesystem::path& path, RowLimit limit,
                     const std::vector<std::string>& communication) {
  // Adds the texts by ascending id. The order of rows in the file then has no effect on the order
  // of ops that differ only in their name.
  std::vector<std::pair<std::int64_t, std::string>> texts;
  using Columns = Selection<COLUMNS(StringRow, id, value)>;
  RowCounts counts;
  for_each_row<Columns>(database, [&](StringRow& row) {
    ++counts.names;
    counts.bytes_of_names += static_cast<std::int64_t>(row.value.size());
    check_counts(path, counts, limit, true);
    if (static_cast<std::int64_t>(row.value.size()) > limits::text_bytes) {
      throw schema::SqliteError(0, "a name in " + schema::table_name<StringRow>() + " has " +
                                       std::to_string(row.value.size()) + " bytes, more than " +
                                       std::to_string(limits::text_bytes));
    }
    texts.emplace_back(row.id, std::move(row.value));
  });
  if (!std::is_sorted(texts.begin(), texts.end())) std::sort(texts.begin(), texts.end());
  ReadNames read;
  std::unordered_map<std::string, std::uint32_t> with_namespaces;
  for (auto& [id, text] : texts) {
    if (const std::string name = communicating_name(text, communication); !name.empty()) {
      // Instantiations of a template share a name.
      const auto [known, is_new] = with_namespaces.try_emplace(name, 0);
      if (is_new) known->second = read.names.add(name);
      read.with_namespaces.emplace(id, known->second);
    }
    read.names.add(id, std::move(text));
  }
  if (has_table<schema::GraphTraceRow>(database)) read.names.add(id_of_whole_graph, "CUDA graph");
  return read;
}

ReadHost read_host(Database& database, const Names& names, std::optional<Ns> recording_end,
                   Progress* progress) {
  ReadHost host;
  host.calls = read_calls(database, names, recording_end, progress);
  host.invalid = host.calls.invalid;
  host.synchronization = read_synchronization(database, names, host.calls);
  host.call_streams = read_call_streams(database, host.calls);
  host.topology = read_topology(database, host.calls.calls);
  read_overheads(database, host);
  read_ranges(database, names, recording_end, host);
  return host;
}

}  // namespace lapscope::analyzer
