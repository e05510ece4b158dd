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

// A device, with facts about its ops for all scopes. The device must outlive this object.
struct Subject {
  // `communicates` has an element for each name of the trace: whether kernels of this name
  // communicate. A name without an element does not.
  Subject(const Device& judged, std::vector<bool> communicates);
  // Uses the given demands instead of measuring them. If they are empty,
  // Activity::kernel_alone_least and kernel_alone_most are -1.
  Subject(const Device& judged, std::vector<bool> communicates, const Demands& demands);

  const Device& device;
  std::vector<bool> communication;     // by name
  std::vector<std::int64_t> capacity;  // by geometry: blocks that fit at once; 0 where not known
  // From the time `from` on, kernels of the device take longer than alone, by a factor between
  // `least` and `most`. Sorted by time. Before the first element, the factor is 1.
  struct Sharing {
    Ns from = 0;
    double least = 1;
    double most = 1;
  };
  std::deque<Sharing> sharing;  // a deque, because it grows without copying its many elements
  bool is_sharing_known = false;

  Engine engine(std::uint32_t op) const { return engine_of(device.ops, op, communication); }
};

// A set of classes of work, with one bit for each class.
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
inline constexpr unsigned count = 1U << (all_engines.size() + 2);   // number of sets of classes
}  // namespace classes

// The input of all measures of one scope: how long each combination of classes was active. Each
// measure is computed from sums over combinations. The times of all combinations and other_work add
// up to the window exactly.
struct Activity {
  Interval window;
  std::int64_t ops = 0;
  Ns sum = 0;                                       // Σ|op|: each overlapping op counts in full
  std::array<Ns, all_engines.size()> engine_sum{};  // Σ|op| of each engine
  std::array<std::int64_t, all_engines.size()> engine_ops{};
  Ns kernel_sum = 0;      // Σ|kernel|
  Ns longest_kernel = 0;  // duration of the longest kernel that does not communicate
  // Bounds of the sum of the times that the kernels would take alone, in ns. -1 without demands.
  double kernel_alone_least = 0;
  double kernel_alone_most = 0;
  // |op| × the share of the device that the op's grid can fill, summed over the ops of the compute
  // engine. -1 if the shape of a kernel or the device's limits are not known.
  Ns compute_area = 0;
  // Whether the device has one copy engine for both directions, as far as the trace shows.
  bool one_copy_engine = false;
  struct Combination {
    Classes active = 0;
    Ns ns = 0;  // above 0
  };
  std::vector<Combination> combinations;  // the combinations that occur, sorted by `active`
  // Time in which only ops outside the scope ran. The combinations and this time fill the window.
  Ns other_work = 0;

  Ns sum_of(Engine engine) const { return engine_sum[static_cast<std::size_t>(engine)]; }

  // Time with at least one of the classes in `a`: |∪a|.
  Ns time_with(Classes a) const { return time_with_both(a, a); }
  // Time with at least one class of `a` and at least one class of `b`: |∪a ∩ ∪b|.
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
  // Prepares for the sweep of the next scope, and reuses the memory. Scopes must be sorted by the
  // begin of their windows, because the search in Subject::sharing continues where the last sweep
  // ended.
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

  // Returns the activity of the scope. Call this after the sweep.
  const Activity& activity();
  // The classes that are active at this point of the sweep.
  Classes now() const { return now_; }

 private:
  void count(std::uint32_t op, int change);
  void add_time_alone(Interval interval);

  const Subject& subject_;
  Activity activity_;  // its combinations are in the order in which they occur
  // By value of Classes: the index of this value in activity_.combinations, plus 1. It is 0 if the
  // value has not occurred.
  std::array<std::uint8_t, classes::count> known_{};
  std::array<std::uint32_t, all_engines.size()> active_{};  // ops by engine
  std::uint32_t kernels_ = 0;
  // The index in Subject::sharing at which the search for the next interval continues.
  std::size_t next_sharing_ = 0;
  Classes now_ = 0;
};

Activity activity_of(const Subject& subject, const Scope& scope);

// The time of the window in which exactly the engines in `active` were active.
struct StateTime {
  std::uint8_t active = 0;  // bit 1 << engine
  Ns ns = 0;
  bool is_other_work = false;  // whether only ops outside the scope ran in this time

  bool has(Engine engine) const { return (active >> static_cast<int>(engine) & 1) != 0; }
};

// Splits the window by the set of active engines. Returns a row for idle time (no engine), a row
// for other work, and a row for each set of engines. Leaves out rows of 0 ns. All rows add up to
// the wall time exactly.
std::vector<StateTime> state_table(const Activity& activity);

}  // namespace lapscope::analyzer
