#include "analyzer/measures/activity.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <queue>
#include <stdexcept>
#include <utility>

#include "analyzer/measures/occupancy.h"
#include "analyzer/scope/sweep.h"

namespace lapscope::analyzer {

namespace {

// Returns Subject::sharing. If the demands of running kernels add up to at most 1, the kernels do
// not slow each other down.
std::deque<Subject::Sharing> sharing_of(const Ops& ops, const Demands& demands) {
  std::deque<Subject::Sharing> sharing;
  using Active = std::pair<Ns, std::uint32_t>;                              // end and op
  std::priority_queue<Active, std::vector<Active>, std::greater<>> active;  // first end on top
  Demand sum{0, 0};
  const auto note = [&](Ns now) {
    if (active.empty()) sum = {0, 0};  // sets the sums to exactly 0, without rounding errors
    const auto longer = [](double demand) { return is_shared(demand) ? demand : 1; };
    const Subject::Sharing here{now, longer(sum.least), longer(sum.most)};
    if (!sharing.empty() && sharing.back().from == now) {
      sharing.back() = here;
      return;
    }
    const bool was_alone = sharing.empty() || sharing.back().most <= 1;
    if (was_alone && here.most <= 1) return;
    sharing.push_back(here);
  };
  const auto end_first = [&] {
    const auto [end, op] = active.top();
    active.pop();
    const Demand& own = demands.classes[demands.class_of[op]].demand;
    sum = {sum.least - own.least, sum.most - own.most};
    note(end);
  };
  for (std::uint32_t op = 0; op < demands.class_of.size(); ++op) {
    if (demands.class_of[op] == no_index || ops.start[op] >= ops.end[op]) continue;
    while (!active.empty() && active.top().first <= ops.start[op]) end_first();
    const Demand& own = demands.classes[demands.class_of[op]].demand;
    sum = {sum.least + own.least, sum.most + own.most};
    active.emplace(ops.end[op], op);
    note(ops.start[op]);
  }
  while (!active.empty()) end_first();
  return sharing;
}

}  // namespace

Subject::Subject(const Device& judged, std::vector<bool> communicates)
    : Subject(judged, communicates, measure_demands(judged, communicates)) {}

Subject::Subject(const Device& judged, std::vector<bool> communicates, const Demands& demands)
    : device(judged),
      communication(std::move(communicates)),
      sharing(sharing_of(judged.ops, demands)),
      is_sharing_known(!demands.class_of.empty()) {
  for (const LaunchGeometry& geometry : judged.ops.geometries) {
    capacity.push_back(resident_blocks(geometry, judged.limits).value_or(0));
  }
}

namespace {

void add(Ns& total, Ns duration) {
  if (__builtin_add_overflow(total, duration, &total)) {
    throw std::overflow_error("the durations of the ops add up to more than 2^63 ns");
  }
}

// Returns `duration` times the share of the device that the grid fills. Returns -1 if this share is
// not known.
Ns area(Ns duration, std::int64_t blocks, std::int64_t capacity) {
  if (capacity <= 0) return -1;
  if (blocks >= capacity) return duration;
  // This is duration * blocks / capacity, rounded down, but the product cannot overflow.
  return duration / capacity * blocks + duration % capacity * blocks / capacity;
}

// Returns area() for a kernel, or -1 if it is not known. Returns the duration for other compute
// ops.
Ns area_of(const Subject& subject, std::uint32_t op, Ns duration) {
  const Ops& ops = subject.device.ops;
  if (ops.kind[op] != OpKind::kernel) return duration;  // memsets, copies on a compute channel
  const std::uint32_t shape = ops.geometry[op];
  if (shape == no_index) return -1;
  return area(duration, ops.geometries[shape].blocks, subject.capacity[shape]);
}

}  // namespace

Ns Activity::time_with_both(Classes a, Classes b) const {
  Ns total = 0;
  for (const Combination& combination : combinations) {
    if ((combination.active & a) != 0 && (combination.active & b) != 0) total += combination.ns;
  }
  return total;
}

ActivityObserver::ActivityObserver(const Subject& subject, const Scope& scope) : subject_(subject) {
  begin_next(scope);
}

void ActivityObserver::begin_next(const Scope& scope) {
  auto combinations = std::move(activity_.combinations);
  for (const Activity::Combination& one : combinations) known_[one.active] = 0;
  combinations.clear();
  activity_ = Activity{};
  activity_.combinations = std::move(combinations);
  activity_.window = scope.window;
  activity_.ops = static_cast<std::int64_t>(scope.ops.size());
  activity_.one_copy_engine = subject_.device.limits.copy_engines == 1;
  for (std::size_t i = 0; i < scope.ops.size(); ++i) {
    ++activity_.engine_ops[static_cast<std::size_t>(subject_.engine(scope.ops[i]))];
  }
}

void ActivityObserver::begin(std::uint32_t op, Interval clipped) {
  const Ops& ops = subject_.device.ops;
  const Ns duration = clipped.length();
  add(activity_.sum, duration);
  const Engine engine = subject_.engine(op);
  activity_.engine_sum[static_cast<std::size_t>(engine)] += duration;
  if (ops.kind[op] == OpKind::kernel) {
    activity_.kernel_sum += duration;
    if (engine == Engine::compute) {
      activity_.longest_kernel = std::max(activity_.longest_kernel, duration);
    }
  }
  if (engine == Engine::compute && activity_.compute_area >= 0) {
    const Ns area = area_of(subject_, op, duration);
    activity_.compute_area = area < 0 ? -1 : activity_.compute_area + area;
  }
  count(op, 1);
}

const Activity& ActivityObserver::activity() {
  if (!subject_.is_sharing_known) {
    activity_.kernel_alone_least = activity_.kernel_alone_most = -1;
  }
  std::sort(activity_.combinations.begin(), activity_.combinations.end(),
            [](const auto& a, const auto& b) { return a.active < b.active; });
  return activity_;
}

void ActivityObserver::end(std::uint32_t op) { count(op, -1); }

void ActivityObserver::count(std::uint32_t op, int change) {
  const auto counted = [this, change](std::uint32_t& number, Classes bit) {
    number += static_cast<std::uint32_t>(change);
    now_ = static_cast<Classes>(number > 0 ? now_ | bit : now_ & ~bit);
  };
  const Engine engine = subject_.engine(op);
  counted(active_[static_cast<std::size_t>(engine)], class_of(engine));
  if (subject_.device.ops.kind[op] != OpKind::kernel) return;
  counted(kernels_, classes::kernel);
  now_ = static_cast<Classes>(kernels_ >= 2 ? now_ | classes::kernels : now_ & ~classes::kernels);
}

// In the interval, each active kernel does a part of its work. Adds the time that this part would
// have taken if the kernel had run alone.
void ActivityObserver::add_time_alone(Interval interval) {
  const auto& sharing = subject_.sharing;
  const auto begins_later = [](Ns time, const Subject::Sharing& one) { return time < one.from; };
  if (next_sharing_ == 0) {
    next_sharing_ = static_cast<std::size_t>(
        std::upper_bound(sharing.begin(), sharing.end(), interval.start, begins_later) -
        sharing.begin());
  }
  Ns now = interval.start;
  while (now < interval.end) {
    while (next_sharing_ < sharing.size() && sharing[next_sharing_].from <= now) ++next_sharing_;
    const Ns until = next_sharing_ < sharing.size()
                         ? std::min(interval.end, sharing[next_sharing_].from)
                         : interval.end;
    const Subject::Sharing here =
        next_sharing_ == 0 ? Subject::Sharing{} : sharing[next_sharing_ - 1];
    const double kernel_time = static_cast<double>(until - now) * kernels_;
    activity_.kernel_alone_least += here.most > 1 ? kernel_time / here.most : kernel_time;
    activity_.kernel_alone_most += here.least > 1 ? kernel_time / here.least : kernel_time;
    now = until;
  }
}

Activity activity_of(const Subject& subject, const Scope& scope) {
  ActivityObserver observer(subject, scope);
  sweep(subject.device.ops, scope, observer);
  return observer.activity();
}

std::vector<StateTime> state_table(const Activity& activity) {
  std::array<Ns, 1 << all_engines.size()> time_in{};
  for (const Activity::Combination& combination : activity.combinations) {
    time_in[combination.active & classes::engines] += combination.ns;
  }
  std::vector<StateTime> table;
  for (std::size_t state = 0; state < time_in.size(); ++state) {
    if (time_in[state] > 0) table.push_back({static_cast<std::uint8_t>(state), time_in[state]});
    if (state == 0 && activity.other_work > 0) table.push_back({0, activity.other_work, true});
  }
  return table;
}

}  // namespace lapscope::analyzer
