#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Finds entries of registries by name. Each entry of a registry has a `name`.
namespace lapscope::reports {

template <class Entries>
std::vector<std::string> names_of(const Entries& all) {
  std::vector<std::string> names;
  for (const auto& one : all) names.emplace_back(one.name);
  return names;
}

// Returns the entry with this name; null if there is none.
template <class Entries>
auto named(const Entries& all, std::string_view name) {
  const std::span entries(all);
  const auto found =
      std::ranges::find_if(entries, [&](const auto& one) { return one.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace lapscope::reports
