#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/ops.h"

namespace lapscope::analyzer {

// For each task what it leads to, as indices into a list of such things.
struct Successors {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> members;

  // `count` things; thing i comes after task from(i), or after none when that is no_index.
  template <class From>
  Successors(std::size_t tasks, std::size_t count, From from) : begin(tasks + 1) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (from(i) != no_index) ++begin[from(i) + 1];
    }
    for (std::size_t t = 1; t < begin.size(); ++t) begin[t] += begin[t - 1];
    members.resize(begin.back());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (from(i) != no_index) members[next[from(i)]++] = i;
    }
  }
};

}  // namespace lapscope::analyzer
