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
  const Rung* rung = nullptr;  // None: all.
  Type type = Type::u32;       // The type of the table, and `kind`; --verify tries all.
  Kind kind = Kind::inclusive;
  std::optional<std::uint64_t> n;  // One size instead of those of the task.
  int samples = 31;

  std::vector<std::uint64_t> sizes() const;
  std::vector<const Rung*> chosen() const;
};

// A number of elements: digits, or a power like 2^20, or 2^31+17. Throws UsageError that names the
// option.
std::uint64_t parse_count(std::string_view option, std::string_view text);

// The checked options, or nothing if the user asked for help, now printed. Throws UsageError.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace lapscope::workloads::scan
