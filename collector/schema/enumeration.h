#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// ENUM_* tables: the codes in a trace and their names. The codes are those of Nsight Systems. CUPTI
// has other codes for memory kinds, launch types and overhead kinds; the decoder converts them.
namespace lapscope::schema {

struct Enumerator {
  std::int64_t id;
  std::string_view name;
  std::string_view label;
};

struct Enumeration {
  std::string_view table;
  std::span<const Enumerator> values;

  bool has(std::int64_t id) const {
    for (const Enumerator& value : values) {
      if (value.id == id) return true;
    }
    return false;
  }
};

std::span<const Enumeration> enumerations();

// Returns the enumeration of a table. An unknown table has no values.
Enumeration enumeration(std::string_view table);

}  // namespace lapscope::schema
