#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <vector>

#include "analyzer/measures/demand.h"

namespace lapscope::analyzer {

// The throughput of one device, shared by the kernels that run with all their blocks: each goes at
// the same part of the speed that it has alone, as the sum of their demands says. So one clock,
// that of a kernel which runs all the time, tells of all of them when they end.
//
//   demands 0.8 and 0.6     A  AAAAAAA...      both go at 1 / 1.4 until A ends; then B is alone
//                           B  BBBBBBBBBB
class SharedThroughput {
 public:
  // The next kernel that ends, or lets others in, if nothing else happens before.
  struct Next {
    std::uint32_t task = no_index;
    std::int64_t time = 0;
    std::uint32_t version = 0;  // above 0; only the newest counts
    bool ends = true;
  };

  // What runs changes now by a kernel of this demand, of which `doubt` is not known.
  void add(double demand, double doubt, std::int64_t now);
  void remove(double demand, double doubt, std::int64_t now);
  // A kernel that was added ends once it got as far as alone in `work` ns, and lets others in
  // `lets_in` before that, if above 0.
  void end_after(std::uint32_t task, double work, double lets_in);
  // The newest one has come about.
  void take_first() {
    std::pop_heap(marks_.begin(), marks_.end(), std::greater<>());
    marks_.pop_back();
    last_.reset();
  }

  // Empty when that was the last answer, and when there is none.
  std::optional<Next> next(std::int64_t now);
  bool is_newest(std::uint32_t version) const { return version == version_; }

  // Whether kernels slowed each other down of which it is not known what they share.
  bool is_in_doubt() const { return in_doubt_ns_ > 0; }
  std::int64_t in_doubt_ns() const { return in_doubt_ns_; }

 private:
  void pass(std::int64_t now);
  void mark(double reading, bool lets_in, std::uint32_t task);

  // Reading of the clock, whether it lets in (ends come first), task: a heap with the next one
  // first. One that was crowded is there with its first blocks, too.
  std::vector<std::tuple<double, bool, std::uint32_t>> marks_;
  double clock_ = 0;
  double demands_ = 0;
  double doubts_ = 0;
  std::uint32_t running_ = 0;
  std::int64_t now_ = 0;
  std::optional<Next> last_;
  std::uint32_t version_ = 0;
  std::int64_t in_doubt_ns_ = 0;
};

}  // namespace lapscope::analyzer
