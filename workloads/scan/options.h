#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workloads/scan/problem/combination.h"

namespace lapscope::workloads::scan {

// The smallest sizes of the tables, in elements.
inline constexpr std::uint64_t lecture_begins = 1 << 10;
inline constexpr std::uint64_t modern_begins = 1 << 16;

enum class Task {
  scan,           // One rung, one size: time and verify.
  list,           // The rungs.
  lecture_table,  // CPU, GPU and speed-up, as in the lecture.
  modern_table,   // GB/s and share of a copy.
  verify,         // The correctness matrix.
  torture,        // Single-pass rungs beside a kernel that takes most of the GPU.
};

struct Options {
  Task task = Task::scan;
  std::string rung;  // Empty: all that fit the task; the contender for a scan and the lecture.
  std::optional<ElementType>
      type;  // Empty: u32, and f32 for the lecture, whose kernels add floats.
  Operator op = Operator::sum;
  bool one_combination = false;  // Whether the command line named a type or an operator.
  Kind kind = Kind::inclusive;
  std::uint64_t n = std::uint64_t{1} << 24;  // For a scan, and for the list.
  std::uint64_t min_n = 0;                   // For verify.
  std::uint64_t max_n = 0;                   // For tables and verify; 0: the default of the task.
  int factor = 4;                            // From size to size of the modern table.
  int repeats = 0;                           // 0: the default of the task.
  double max_seconds = 0.5;                  // Per figure of a table.

  Combination combination() const;
  std::uint64_t largest_n() const;  // max_n, or the default of the task.
  int repetitions() const;          // repeats, or the default of the task.
};

// A number of elements: digits, or a power like 2^20, or 2^31+17. Throws UsageError that names the
// option.
std::uint64_t parse_count(std::string_view option, std::string_view text);

// The checked options, or nothing if the user asked for help, now printed. Throws UsageError.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace lapscope::workloads::scan
