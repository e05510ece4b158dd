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

// Makes a trace of one or two processes with up to three threads. All times are from 1 to 20000 ns,
// and many are equal. Calls nest, and NVTX ranges nest, repeat, cross or never end. The ops use
// several streams on two devices, and some lack a call, a time or an end. There are also event
// records, waits, settings, host functions, graph launches with incomplete topology, profiler
// brackets and overlapping overheads.
TraceRows random_rows(std::mt19937& random);

}  // namespace lapscope::test
