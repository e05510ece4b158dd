#include "reports/columns/column_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <ostream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace lapscope::reports {
namespace {

using analyzer::Device;
using analyzer::Trace;

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t alignment = 64;

std::size_t padding(std::size_t size) { return (alignment - size % alignment) % alignment; }

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Returns the validity bitmap. Empty if all rows have a value.
std::string valid_bits(const std::vector<std::int64_t>& values) {
  if (std::ranges::find(values, no_value) == values.end()) return "";
  std::string bits((values.size() + 7) / 8, '\0');
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (values[row] == no_value) continue;
    bits[row / 8] = static_cast<char>(static_cast<unsigned char>(bits[row / 8]) | 1U << row % 8);
  }
  return bits;
}

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

void ColumnTable::add_integers(std::string_view name, const std::vector<std::int64_t>& values) {
  rows_ = values.size();
  columns_.push_back({std::string(name), "int", 0, {valid_bits(values), bytes_of(values)}});
}

void ColumnTable::add_texts(std::string_view name, const std::vector<std::int32_t>& numbers,
                            const std::vector<std::string>& texts) {
  rows_ = numbers.size();
  std::vector<std::int32_t> ends{0};
  std::string all;
  for (const std::string& text : texts) {
    all += text;
    if (all.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw std::runtime_error(
          "the names of the trace take more than 2 GiB, which a table cannot hold.");
    }
    ends.push_back(static_cast<std::int32_t>(all.size()));
  }
  columns_.push_back({std::string(name),
                      "text",
                      texts.size(),
                      {bytes_of(numbers), bytes_of(ends), std::move(all)}});
}

void ColumnTable::write(std::ostream& out) const {
  std::string head =
      fmt::format(R"({{"schema": "lapscope-rows/1", "rows": {}, "columns": [)", rows_);
  for (const Column& column : columns_) {
    head += fmt::format(R"({}{{"name": "{}", "type": "{}", "bytes": [)",
                        &column == columns_.data() ? "" : ", ", column.name, column.type);
    for (const std::string& part : column.parts) {
      head += fmt::format("{}{}", &part == column.parts.data() ? "" : ", ", part.size());
    }
    head += column.type == "text" ? fmt::format(R"(], "values": {}}})", column.values) : "]}";
  }
  head += "]}";
  head.append(padding(head.size() + 1), ' ');
  out << head << '\n';
  const std::string zeros(alignment, '\0');
  for (const Column& column : columns_) {
    for (const std::string& part : column.parts) {
      out.write(part.data(), static_cast<std::streamsize>(part.size()));
      out.write(zeros.data(), static_cast<std::streamsize>(padding(part.size())));
    }
  }
}

std::span<const RowTable> row_tables() { return tables; }

}  // namespace lapscope::reports
