#pragma once

#include <algorithm>
#include <filesystem>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

#include "collector/schema/statements.h"
#include "collector/schema/tables.h"

namespace lapscope::test {

// The rows of a trace, table by table.
template <class Rows>
struct VectorsOf;
template <class... Rows>
struct VectorsOf<std::tuple<Rows...>> {
  using type = std::tuple<std::vector<Rows>...>;
};

struct TraceRows {
  VectorsOf<schema::AllRows>::type tables;

  template <class Row>
  std::vector<Row>& of() {
    return std::get<std::vector<Row>>(tables);
  }

  void shuffle(std::mt19937& random) {
    std::apply([&](auto&... rows) { (std::shuffle(rows.begin(), rows.end(), random), ...); },
               tables);
  }

  // Adds to every session time that is known.
  void shift(std::int64_t ns) {
    std::apply([&](auto&... rows) { (shift_table(rows, ns), ...); }, tables);
  }

  // As a complete recording.
  void write(const std::filesystem::path& path) const;

 private:
  template <class Row>
  static void shift_table(std::vector<Row>& rows, std::int64_t ns) {
    for (Row& row : rows) shift_row(schema::layout_of<Row>(), schema::bytes_of(row), ns);
  }
  static void shift_row(const schema::Layout& layout, std::byte* row, std::int64_t ns);
};

// A trace of one or two processes with up to three threads each: nested calls, several streams on
// two devices, waits for events and records of them, settings, host functions, graph launches with
// some of what the graphs are made of, profiler brackets, overheads that overlap, ranges that nest,
// repeat, cross, and never end; ops without calls, without times and without ends; many equal
// times. All within 1..20000 ns.
TraceRows random_rows(std::mt19937& random);

}  // namespace lapscope::test
