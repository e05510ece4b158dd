#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/measures/demand.h"
#include "analyzer/model/trace.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// A device with what is asked of its ops over and over, made once for all scopes. Refers to the
// device, which must outlive it.
struct Subject {
  // `communicates` by index in the trace's names; a name beyond its end does not.
  Subject(const Device& judged, std::vector<bool> communicates);
  // Leaves out what kernels do to each other: Activity::kernel_alone is not known then.
  Subject(const Device& judged, std::vector<bool> communicates, const Demands& demands);

  const Device& device;
  std::vector<bool> communication;     // by name
  std::vector<std::int64_t> capacity;  // by geometry: blocks that fit at once; 0 where not known
  // How many times as long as alone they take, at either end of what is known, from a time on: of
  // all kernels of the device. By time; 1 before the first.
  struct Sharing {
    Ns from = 0;
    double least = 1;
    double most = 1;
  };
  std::deque<Sharing> sharing;  // up to two of each kernel: grows without a copy
  bool is_sharing_known = false;

  Engine engine(std::uint32_t op) const { return engine_of(device.ops, op, communication); }
};

// A set of classes of work, as bits. An instant has the bit of each class that is active then.
using Classes = std::uint8_t;

constexpr Classes class_of(Engine engine) {
  return static_cast<Classes>(1U << static_cast<unsigned>(engine));
}

namespace classes {
inline constexpr Classes compute = class_of(Engine::compute);
inline constexpr Classes h2d = class_of(Engine::h2d);
inline constexpr Classes d2h = class_of(Engine::d2h);
inline constexpr Classes other_copy = class_of(Engine::other_copy);
inline constexpr Classes copies = h2d | d2h | other_copy;
inline constexpr Classes comm = class_of(Engine::communication);
inline constexpr Classes engines = compute | copies | comm;
inline constexpr Classes kernel = 1U << all_engines.size();         // at least one kernel
inline constexpr Classes kernels = 1U << (all_engines.size() + 1);  // at least two
inline constexpr unsigned count = 1U << (all_engines.size() + 2);   // of sets of classes
}  // namespace classes

// What all measures of one scope start from: how long each combination of classes was active.
// Unions and their intersections are sums over combinations, so that a measure is a line of
// arithmetic, and states sum to the window by construction.
struct Activity {
  Interval window;
  std::int64_t ops = 0;
  Ns sum = 0;                                       // Σ|op|: overlapping ops count each
  std::array<Ns, all_engines.size()> engine_sum{};  // Σ|op| of each
  std::array<std::int64_t, all_engines.size()> engine_ops{};
  Ns kernel_sum = 0;      // Σ|kernel|
  Ns longest_kernel = 0;  // of those that compute
  // What these kernels take alone, added up: at least, and at most; -1 when that was not asked for.
  double kernel_alone_least = 0;
  double kernel_alone_most = 0;
  // Σ|op| × share of the device that the op's grid can fill, over the compute engine; -1 when the
  // shape of a kernel or the device's limits are not known.
  Ns compute_area = 0;
  bool one_copy_engine = false;  // for both directions, as far as it is known from the trace
  struct Combination {
    Classes active = 0;
    Ns ns = 0;  // above 0
  };
  std::vector<Combination> combinations;  // each that occurs, ascending
  // Time in which the device ran only ops that are not in the scope, which is in no combination:
  // with those it sums to the window.
  Ns other_work = 0;

  Ns sum_of(Engine engine) const { return engine_sum[static_cast<std::size_t>(engine)]; }

  // Time with at least one of the classes in `a`: |∪a|.
  Ns time_with(Classes a) const { return time_with_both(a, a); }
  // Time with one of a and one of b: |∪a ∩ ∪b|.
  Ns time_with_both(Classes a, Classes b) const;
  Ns busy() const { return time_with(classes::engines); }
  Ns idle() const { return window.length() - busy() - other_work; }
};

// Collects an activity from a sweep over a scope.
//
// begin() throws std::overflow_error when the durations add up to more than 2^63 ns.
class ActivityObserver {
 public:
  ActivityObserver(const Subject& subject, const Scope& scope);
  // For the sweep of another scope that begins no earlier: without a search, in the same memory.
  void begin_next(const Scope& scope);

  void begin(std::uint32_t op, Interval clipped);
  void end(std::uint32_t op);
  void stretch(Interval interval) {
    std::uint8_t& known = known_[now_];
    if (known == 0) {
      activity_.combinations.push_back({now_, 0});
      known = static_cast<std::uint8_t>(activity_.combinations.size());
    }
    activity_.combinations[known - 1U].ns += interval.length();
    if (kernels_ == 0) return;
    add_time_alone(interval);
  }
  void other_work(Interval interval) { activity_.other_work += interval.length(); }

  // After the sweep.
  const Activity& activity();
  // The classes that are active at this point of the sweep.
  Classes now() const { return now_; }

 private:
  void count(std::uint32_t op, int change);
  void add_time_alone(Interval interval);

  const Subject& subject_;
  Activity activity_;  // its combinations in the order met
  // By Classes: which of the combinations it is, counted from 1.
  std::array<std::uint8_t, classes::count> known_{};
  std::array<std::uint32_t, all_engines.size()> active_{};  // ops by engine
  std::uint32_t kernels_ = 0;
  std::size_t next_sharing_ = 0;  // of Subject::sharing, from the last interval with kernels on
  Classes now_ = 0;
};

Activity activity_of(const Subject& subject, const Scope& scope);

// Time of the window in which exactly these engines were active.
struct StateTime {
  std::uint8_t active = 0;  // bit 1 << engine
  Ns ns = 0;
  bool is_other_work = false;  // no engine was for the scope, and the device worked all the same

  bool has(Engine engine) const { return (active >> static_cast<int>(engine) & 1) != 0; }
};

// The window split by which engines are active: non-zero rows only, idle (no engine) first, then
// other work. The rows sum to the wall exactly.
std::vector<StateTime> state_table(const Activity& activity);

}  // namespace lapscope::analyzer
