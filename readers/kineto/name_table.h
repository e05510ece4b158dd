#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace lapscope::kineto {

// A row of a table that maps names in a file to their meanings. Names must be unique in a table.
template <class Value>
struct Named {
  std::string_view name;
  Value value;
};

template <class Value, std::size_t count>
std::optional<Value> find(const Named<Value> (&all)[count], std::string_view name) {
  for (const Named<Value>& one : all) {
    if (one.name == name) return one.value;
  }
  return std::nullopt;
}

}  // namespace lapscope::kineto
