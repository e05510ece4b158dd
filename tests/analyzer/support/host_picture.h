#pragma once

#include <string>
#include <string_view>

#include "analyzer/gaps/find_gaps.h"
#include "analyzer/model/trace.h"

namespace lapscope::test {

// One host thread and one device stream, drawn one above the other; one character is one
// microsecond.
//
//   LL.SSS     the thread: two launches (each L is a call of its own), then a synchronisation
//   ..A..B     the stream: two ops; the n-th issuing call (L or C) issued the n-th op
class Scene {
 public:
  Scene(std::string_view host, std::string_view device);

  void overhead(analyzer::Interval interval, analyzer::OverheadKind kind);
  void range(const std::string& name, analyzer::Interval interval);
  std::string range_name(std::uint32_t range) const;

  analyzer::Gaps gaps(const analyzer::GapOptions& options = {}) const;
  analyzer::Gaps gaps_within(analyzer::Interval window) const;

 private:
  analyzer::Gaps gaps_of(const analyzer::Scope& scope, const analyzer::GapOptions& options) const;

  analyzer::Trace trace_;
};

}  // namespace lapscope::test
