#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/engine.h"

namespace lapscope::analyzer {

// "None" in columns that hold an index.
inline constexpr std::uint32_t no_index = 0xFFFFFFFF;

// The device activities of one device, a column each: one op is the same index in all of them. Only
// ops whose times can be believed are here (0 <= start <= end <= latest_time); the reader counts
// the others. 38 bytes an op.
struct Ops {
  std::vector<std::int64_t> start;  // ns since session start
  std::vector<std::int64_t> end;
  std::vector<std::uint32_t> stream;
  std::vector<std::uint32_t> name;      // of kernels, in Trace::names; no_index for others
  std::vector<std::uint32_t> issue;     // the call that issued it, in Trace::calls; or no_index
  std::vector<std::uint32_t> geometry;  // of kernels, in `geometries`; no_index for others
  std::vector<std::int64_t> bytes;      // of copies and memsets
  std::vector<Engine> engine;
  std::vector<OpKind> kind;

  std::vector<LaunchGeometry> geometries;  // each that occurs, once

  std::size_t size() const { return start.size(); }
  bool empty() const { return start.empty(); }
  Interval interval(std::size_t op) const { return {start[op], end[op]}; }
};

}  // namespace lapscope::analyzer
