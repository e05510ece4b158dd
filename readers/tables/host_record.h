#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Builds Trace::host_samples from another tool's records of threads. The trace must already have
// its calls and names. HostRecord adds names to it.
//
//   HostRecord record(trace);
//   for (const std::uint32_t thread : record.threads()) {
//     for (const Interval& gap : record.between_calls(thread)) record.add_span(thread, gap, ...);
//   }
//   record.finish(interval_ns);
class HostRecord {
 public:
  explicit HostRecord(Trace& trace);

  // Returns indices of Calls::threads.
  std::vector<std::uint32_t> threads() const;
  // Returns the non-empty times between consecutive outermost calls of a thread, in order.
  std::vector<Interval> between_calls(std::uint32_t thread) const;

  // Returns the index of a text in Trace::names; adds the text if necessary.
  std::uint32_t name(const std::string& text);
  // Returns the id of the stack that `frames` describes, innermost frame first. Returns
  // CallStacks::none if `frames` is empty.
  std::uint32_t chain(std::span<const Frame> frames);

  // add_span() adds what a thread did in an interval, add_look() what it did at one instant. Add
  // threads in the order of threads(), and the spans and looks of a thread in the order of time. A
  // span must lie in one interval of between_calls().
  void add_span(std::uint32_t thread, Interval span, ThreadState state, std::uint32_t chain);
  void add_look(std::uint32_t thread, Ns time, ThreadState state, std::uint32_t chain);

  // `interval_ns` is the time between two samples; 0 if there are no samples. A trace without
  // samples and spans is treated as not sampled.
  void finish(Ns interval_ns);

 private:
  using FrameKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  Trace& trace_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::map<std::vector<FrameKey>, std::uint32_t> chains_;
};

}  // namespace lapscope::analyzer
