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

// The rows of a trace, by table.
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

  // Adds ns to every known session time.
  void shift(std::int64_t ns) {
    std::apply([&](auto&... rows) { (shift_table(rows, ns), ...); }, tables);
  }

  // Writes the rows as a complete recording.
  void write(const std::filesystem::path& path) const;

 private:
  template <class Row>
  static void shift_table(std::vector<Row>& rows, std::int64_t ns) {
    for (Row& row : rows) shift_row(schema::layout_of<Row>(), schema::bytes_of(row), ns);
  }
  static void shift_row(const schema::Layout& layout, std::byte* row, std::int64_t ns);
};

// Makes a trace of one or two processes with up to three threads each. It has nested calls, several
// streams on two devices, event records and waits, settings, and host functions. Graph launches
// have parts of their topology. It also has profiler brackets and overlapping overheads. Ranges
// nest, repeat, cross or never end. Ops may lack calls, times or ends. Many times are equal. All
// times lie within 1..20000 ns.
TraceRows random_rows(std::mt19937& random);

}  // namespace lapscope::test
