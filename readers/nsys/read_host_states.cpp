#include "readers/nsys/read_host_states.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analyzer/intervals/units.h"
#include "collector/schema/export_tables.h"
#include "readers/nsys/rows.h"

namespace lapscope::analyzer::nsys {
namespace {

namespace table = schema::export_table;
using Kind = HostState::Kind;

class HostStateReader {
 public:
  explicit HostStateReader(Trace& trace) : trace_(trace) {
    const auto& threads = trace.calls.threads;
    for (std::size_t i = 0; i < threads.size(); ++i) places_.emplace(threads[i].global_tid, i);
  }

  // Calls that no other call of the thread contains.
  void read_calls(schema::Database& database, std::string_view from, Kind kind,
                  std::string_view name_column) {
    Rows rows(database, from, {"start", "end", "globalTid", name_column, "nestingLevel"});
    while (rows.step()) {
      if (rows.integer(4).value_or(0) > 0) continue;
      add(rows.integer(2), kind, rows.integer(0), rows.integer(1), rows.integer(3));
    }
  }

  void read_scheduling(schema::Database& database) {
    Rows rows(database, table::scheduling, {"start", "isSchedIn", "globalTid"}, "start");
    std::unordered_map<std::int64_t, std::int64_t> out_since;  // by thread
    while (rows.step()) {
      const auto start = rows.integer(0);
      const auto thread = rows.integer(2);
      if (!start || !thread || !places_.contains(*thread)) continue;
      if (rows.integer(1).value_or(0) == 0) {
        out_since[*thread] = *start;
      } else if (const auto out = out_since.find(*thread); out != out_since.end()) {
        add(thread, Kind::not_running, out->second, start, std::nullopt);
        out_since.erase(out);
      }
    }
  }

  void read_samples(schema::Database& database) {
    for (const char* column : {"id", "symbol", "unresolved", "stackDepth"}) {
      if (!database.has_column(table::sample_frames, column)) return;
    }
    std::unordered_map<std::int64_t, std::pair<std::int64_t, std::int64_t>> tops;  // depth, symbol
    Rows frames(database, table::sample_frames, {"id", "symbol", "unresolved", "stackDepth"});
    while (frames.step()) {
      const auto id = frames.integer(0);
      const auto symbol = frames.integer(1);
      const auto depth = frames.integer(3);
      if (!id || !symbol || !depth || frames.integer(2).value_or(0) != 0) continue;
      const auto [top, is_new] = tops.try_emplace(*id, *depth, *symbol);
      if (!is_new && *depth < top->second.first) top->second = {*depth, *symbol};
    }
    Rows samples(database, table::samples, {"id", "start", "globalTid"});
    while (samples.step()) {
      const auto top = samples.integer(0) ? tops.find(*samples.integer(0)) : tops.end();
      if (top == tops.end()) continue;
      add(samples.integer(2), Kind::sample, samples.integer(1), samples.integer(1),
          top->second.second);
    }
  }

  void finish() {
    for (auto& states : trace_.host_states) {
      std::sort(states.begin(), states.end(), [](const HostState& a, const HostState& b) {
        return std::tie(a.interval.start, a.interval.end, a.kind, a.name) <
               std::tie(b.interval.start, b.interval.end, b.kind, b.name);
      });
    }
  }

 private:
  void add(std::optional<std::int64_t> thread, Kind kind, std::optional<Ns> start,
           std::optional<Ns> end, std::optional<std::int64_t> name) {
    if (!thread || !start || !end || !believable(*start, *end)) return;
    const auto place = places_.find(*thread);
    if (place == places_.end()) return;
    trace_.host_states.resize(trace_.calls.threads.size());
    trace_.host_states[place->second].push_back(
        {kind, name ? trace_.names.index_of(*name) : 0, {*start, *end}});
  }

  Trace& trace_;
  std::unordered_map<std::int64_t, std::size_t> places_;  // of threads, by global id
};

}  // namespace

void read_host_states(schema::Database& database, Trace& trace) {
  HostStateReader reader(trace);
  reader.read_calls(database, table::os_calls, Kind::os_call, "nameId");
  for (const std::string_view from :
       {table::mpi_p2p, table::mpi_collectives, table::mpi_waits, table::mpi_others}) {
    reader.read_calls(database, from, Kind::mpi_call, "textId");
  }
  reader.read_scheduling(database);
  reader.read_samples(database);
  reader.finish();
}

}  // namespace lapscope::analyzer::nsys
