#include "reports/columns/trace_rows.h"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace lapscope::reports {
namespace {

using analyzer::Device;
using analyzer::Trace;

// A column of texts. Stores each different text only once.
class Texts {
 public:
  void add(std::string text) {
    const auto [at, is_new] =
        known_.try_emplace(std::move(text), static_cast<std::int32_t>(texts_.size()));
    if (is_new) texts_.push_back(at->first);
    numbers_.push_back(at->second);
  }
  void give(ColumnTable& table, std::string_view name) const {
    table.add_texts(name, numbers_, texts_);
  }

 private:
  std::unordered_map<std::string, std::int32_t> known_;
  std::vector<std::string> texts_;
  std::vector<std::int32_t> numbers_;
};

std::string_view name_of_kind(analyzer::OpKind kind) {
  switch (kind) {
    case analyzer::OpKind::kernel:
      return "kernel";
    case analyzer::OpKind::memset:
      return "memset";
    case analyzer::OpKind::peer_copy:
    case analyzer::OpKind::memcpy:
      break;
  }
  return "copy";
}

ColumnTable ops_of(const Trace& trace) {
  std::vector<std::int64_t> ids, streams, starts, ends, bytes, calls;
  Texts kinds, engines, names;
  for (const Device& device : trace.devices) {
    const analyzer::Ops& ops = device.ops;
    for (std::uint32_t op = 0; op < ops.size(); ++op) {
      ids.push_back(device.id);
      streams.push_back(device.streams[ops.stream[op]].id);
      kinds.add(std::string(name_of_kind(ops.kind[op])));
      engines.add(std::string(name_of(ops.engine[op])));
      names.add(name_of_op(trace, device, op));
      starts.push_back(ops.start[op]);
      ends.push_back(ops.end[op]);
      bytes.push_back(ops.kind[op] == analyzer::OpKind::kernel ? no_value : ops.bytes[op]);
      calls.push_back(ops.issue[op] == analyzer::no_index ? no_value : ops.issue[op]);
    }
  }
  ColumnTable table;
  table.add_integers("device", ids);
  table.add_integers("stream", streams);
  kinds.give(table, "kind");
  engines.give(table, "engine");
  names.give(table, "name");
  table.add_integers("start", starts);
  table.add_integers("end", ends);
  table.add_integers("bytes", bytes);
  table.add_integers("call", calls);
  return table;
}

ColumnTable calls_of(const Trace& trace) {
  const analyzer::Calls& calls = trace.calls;
  std::vector<std::int64_t> processes(calls.size(), no_value);
  std::vector<std::int64_t> threads(calls.size(), no_value);
  for (const analyzer::Calls::Thread& thread : calls.threads) {
    for (std::uint32_t call = thread.first; call < thread.end; ++call) {
      processes[call] = analyzer::pid_of(thread.global_tid);
      threads[call] = analyzer::tid_of(thread.global_tid);
    }
  }
  Texts kinds, names;
  for (std::uint32_t call = 0; call < calls.size(); ++call) {
    kinds.add(std::string(name_of(calls.kind[call])));
    names.add(analyzer::function_name(trace.names.text(calls.name[call])));
  }
  ColumnTable table;
  table.add_integers("process", processes);
  table.add_integers("thread", threads);
  kinds.give(table, "kind");
  names.give(table, "name");
  table.add_integers("start", calls.start);
  table.add_integers("end", calls.end);
  return table;
}

constexpr std::array tables = {RowTable{"ops", ops_of}, RowTable{"calls", calls_of}};

}  // namespace

std::span<const RowTable> row_tables() { return tables; }

}  // namespace lapscope::reports
