#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>

namespace lapscope::test {

// The rows of a trace.
class TraceRows {
 public:
  struct Tables;

  explicit TraceRows(Tables tables);
  TraceRows(const TraceRows& other);
  TraceRows(TraceRows&&) noexcept;
  ~TraceRows();

  // Changes the order of the rows of each table.
  void shuffle(std::mt19937& random);
  // Adds ns to every known session time.
  void shift(std::int64_t ns);
  // Writes the rows as a complete recording.
  void write(const std::filesystem::path& path) const;

 private:
  std::unique_ptr<Tables> tables_;
};

// Makes a trace of one or two processes with up to three threads each. It has nested calls, several
// streams on two devices, event records and waits, settings, and host functions. Graph launches
// have parts of their topology. It also has profiler brackets and overlapping overheads. Ranges
// nest, repeat, cross or never end. Ops may lack calls, times or ends. Many times are equal. All
// times lie within 1..20000 ns.
TraceRows random_rows(std::mt19937& random);

}  // namespace lapscope::test
