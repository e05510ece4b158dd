#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Finds entries of registries by name. Each entry of a registry has a `name`.
namespace lapscope::reports {

template <class Entry>
std::vector<std::string> names_of(std::span<const Entry> all) {
  std::vector<std::string> names;
  for (const Entry& one : all) names.emplace_back(one.name);
  return names;
}

// Returns the entry with this name; null if there is none.
template <class Entry>
const Entry* named(std::span<const Entry> all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Entry::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace lapscope::reports
