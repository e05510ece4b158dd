#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/scan/rungs/rung.h"

namespace lapscope::workloads::scan {

enum class Task { table, list, verify };

struct Options {
  Task task = Task::table;
  const Rung* rung = nullptr;  // Null: all rungs.
  Type type = Type::u32;       // The type for the table; --verify tries all types and kinds.
  Kind kind = Kind::inclusive;
  std::optional<std::uint64_t> n;  // One size instead of the task's sizes.
  int samples = 31;

  std::vector<std::uint64_t> sizes() const;
  std::vector<const Rung*> chosen() const;
};

// Parses a number of elements, such as 1000, 2^20 or 2^31+17. Throws UsageError.
std::uint64_t parse_count(std::string_view option, std::string_view text);

// Returns the checked options, or nothing after printing the help. Throws UsageError.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace lapscope::workloads::scan
