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

// Makes Trace::host_samples from what other tools than lapscope record about threads. The trace has
// its calls and names by then, and gets names.
//
//   HostRecord record(trace);
//   for (const std::uint32_t thread : record.threads()) {
//     for (const Interval& gap : record.between_calls(thread)) record.add_span(thread, gap, ...);
//   }
//   record.finish(interval_ns);
class HostRecord {
 public:
  explicit HostRecord(Trace& trace);

  // The threads of Calls::threads, in the order in which they must be reported.
  std::vector<std::uint32_t> threads() const;
  // The times between two outermost calls of a thread, by time; none is empty.
  std::vector<Interval> between_calls(std::uint32_t thread) const;

  // The index in Trace::names of a text.
  std::uint32_t name(const std::string& text);
  // A stack, innermost frame first; CallStacks::none where there is no frame.
  std::uint32_t chain(std::span<const Frame> frames);

  // By thread and time. A span lies in one of between_calls().
  void add_span(std::uint32_t thread, Interval span, ThreadState state, std::uint32_t chain);
  void add_look(std::uint32_t thread, Ns time, ThreadState state, std::uint32_t chain);

  // `interval_ns`: between two looks; 0 if there are none. If neither they nor spans contain
  // anything, nothing was sampled.
  void finish(Ns interval_ns);

 private:
  using FrameKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  Trace& trace_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::map<std::vector<FrameKey>, std::uint32_t> chains_;
};

}  // namespace lapscope::analyzer
