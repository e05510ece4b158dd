#include "analyzer/measures/demand.h"

#include <map>
#include <numeric>
#include <utility>

#include "analyzer/measures/occupancy.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Of the demands of a class, what its multiprocessors have.
double most_of(const Device& device, std::uint32_t geometry) {
  if (geometry == no_index || device.limits.multiprocessors <= 0) return 1;
  const std::int64_t blocks = device.ops.geometries[geometry].blocks;
  if (blocks <= 0) return 1;
  return std::min(1.0,
                  static_cast<double>(blocks) / static_cast<double>(device.limits.multiprocessors));
}

Demands classes_of(const Device& device) {
  const Ops& ops = device.ops;
  Demands result;
  result.class_of.assign(ops.size(), no_index);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
  for (std::size_t op = 0; op < ops.size(); ++op) {
    if (ops.kind[op] != OpKind::kernel) continue;
    const auto [place, is_new] = known.try_emplace(
        {ops.name[op], ops.geometry[op]}, static_cast<std::uint32_t>(result.classes.size()));
    if (is_new) {
      KernelClass added;
      added.name = ops.name[op];
      added.geometry = ops.geometry[op];
      added.demand.most = most_of(device, added.geometry);
      result.classes.push_back(added);
    }
    result.class_of[op] = place->second;
  }
  return result;
}

// The quartiles and the median of values, and how far apart the quartiles are for that.
struct Spread {
  double median = 0;
  double share = 0;
};
Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  Spread spread{values[values.size() / 2]};
  if (spread.median > 0) {
    spread.share = (values[last - last / 4] - values[last / 4]) / spread.median;
  }
  return spread;
}

// What ran for a while.
struct Mix {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> kernels;  // class, and how many of it
};
// A launch that ran beside others, stretch by stretch.
struct Example {
  std::uint32_t kernel_class = no_index;
  bool is_usable = true;
  bool is_among_its_own = true;
  std::vector<std::pair<std::int64_t, std::uint32_t>> stretches;  // ns, in mixes
};

// Collects the examples that demands are fitted to.
class Examples {
 public:
  Examples(const Device& device, Demands& demands) : ops_(device.ops), demands_(demands) {
    for (const LaunchGeometry& geometry : ops_.geometries) {
      const auto resident = resident_blocks(geometry, device.limits);
      room_.push_back(
          resident ? static_cast<double>(geometry.blocks) / static_cast<double>(*resident) : 0);
    }
    for (std::uint32_t op = 0; op < ops_.size(); ++op) {
      if (demands_.class_of[op] != no_index && ops_.start[op] < ops_.end[op])
        kernels_.push_back(op);
    }
    find_lengths_alone();
  }

  // Of those classes that take what they take alone, and were seen beside others.
  void collect() {
    sweep([this](std::uint32_t op, Interval stretch, const std::vector<std::uint32_t>& running) {
      add(op, stretch, running);
    });
  }

  bool is_candidate(std::uint32_t c) const {
    const KernelClass& one = demands_.classes[c];
    return one.length_alone > 0 && one.beside >= assumed::enough_examples;
  }

  std::vector<Mix> mixes;
  std::vector<Example> examples;

 private:
  // How long each kernel ran beside others, and the median of those that ran alone.
  void find_lengths_alone() {
    beside_.assign(ops_.size(), 0);
    std::vector<std::pair<std::int64_t, std::uint32_t>> active;  // ends; a heap
    // Of what is running now, the time beside others up to `now`, counted from the trace's begin.
    std::int64_t beside = 0;
    std::int64_t now = 0;
    const auto pass = [&](std::int64_t until) {
      if (active.size() >= 2) beside += until - now;
      now = until;
    };
    const auto end_first = [&] {
      std::pop_heap(active.begin(), active.end(), std::greater<>());
      pass(active.back().first);
      beside_[active.back().second] += beside;
      active.pop_back();
    };
    for (const std::uint32_t op : kernels_) {
      while (!active.empty() && active.front().first <= ops_.start[op]) end_first();
      pass(ops_.start[op]);
      beside_[op] = -beside;
      active.emplace_back(ops_.end[op], op);
      std::push_heap(active.begin(), active.end(), std::greater<>());
    }
    while (!active.empty()) end_first();
    std::vector<std::vector<double>> alone(demands_.classes.size());
    for (const std::uint32_t op : kernels_) {
      const std::uint32_t c = demands_.class_of[op];
      const double length = static_cast<double>(ops_.end[op] - ops_.start[op]);
      if (static_cast<double>(beside_[op]) <= assumed::alone_beside * length) {
        alone[c].push_back(length);
      } else if (is_beside(op)) {
        ++demands_.classes[c].beside;
      }
    }
    for (std::uint32_t c = 0; c < alone.size(); ++c) {
      KernelClass& one = demands_.classes[c];
      one.alone = static_cast<std::uint32_t>(alone[c].size());
      if (alone[c].size() < assumed::enough_examples) continue;
      const Spread spread = spread_of(std::move(alone[c]));
      if (spread.share <= assumed::alike_lengths) {
        one.length_alone = static_cast<std::int64_t>(spread.median);
      }
    }
  }

  bool is_beside(std::uint32_t op) const {
    return static_cast<double>(beside_[op]) >=
           assumed::mostly_beside * static_cast<double>(ops_.end[op] - ops_.start[op]);
  }

  // Tells of each example each stretch with what ran.
  template <class Take>
  void sweep(Take&& take) {
    std::vector<std::uint32_t> running;
    std::vector<std::uint32_t> kept(demands_.classes.size());
    std::vector<std::uint32_t> told;  // of those that run
    std::int64_t now = 0;
    const auto pass = [&](std::int64_t until) {
      for (const std::uint32_t op : told) {
        if (now < until) take(op, Interval{now, until}, running);
      }
      now = until;
    };
    const auto end_until = [&](std::int64_t until) {
      while (!running.empty()) {
        const auto first = std::min_element(
            running.begin(), running.end(),
            [this](std::uint32_t a, std::uint32_t b) { return ops_.end[a] < ops_.end[b]; });
        if (ops_.end[*first] > until) return;
        pass(ops_.end[*first]);
        std::erase(told, *first);
        running.erase(first);
      }
    };
    for (const std::uint32_t op : kernels_) {
      end_until(ops_.start[op]);
      pass(ops_.start[op]);
      // More than any GPU runs: what is told of them is not believed.
      if (running.size() >= assumed::kernels_at_once) continue;
      running.push_back(op);
      const std::uint32_t c = demands_.class_of[op];
      if (is_candidate(c) && is_beside(op) && kept[c] < assumed::most_examples) {
        ++kept[c];
        told.push_back(op);
      }
    }
    end_until(latest_time);
  }

  void add(std::uint32_t op, Interval stretch, const std::vector<std::uint32_t>& running) {
    const auto [place, is_new] = by_op_.try_emplace(op, examples.size());
    if (is_new) examples.push_back({demands_.class_of[op], true, true, {}});
    Example& example = examples[place->second];
    std::map<std::uint32_t, std::uint32_t> counts;
    double room = 0;
    for (const std::uint32_t other : running) {
      const std::uint32_t c = demands_.class_of[other];
      ++counts[c];
      if (ops_.geometry[other] != no_index) room += room_[ops_.geometry[other]];
      example.is_among_its_own &= c == example.kernel_class;
    }
    // Where not all blocks had room they took turns, which is no matter of throughput.
    if (running.size() > 1 && is_shared(room)) example.is_usable = false;
    example.stretches.emplace_back(stretch.length(), static_cast<std::uint32_t>(mixes.size()));
    mixes.push_back({{counts.begin(), counts.end()}});
  }

  const Ops& ops_;
  Demands& demands_;
  std::vector<double> room_;            // by geometry: of what fits at once
  std::vector<std::uint32_t> kernels_;  // by start
  std::vector<std::int64_t> beside_;    // by op: ns beside other kernels
  std::map<std::uint32_t, std::size_t> by_op_;
};

// Fits one class after the other: first those that ran beside their own alone.
class DemandFit {
 public:
  DemandFit(const Examples& examples, const std::vector<bool>& communication, Demands& demands)
      : examples_(examples), communication_(communication), demands_(demands) {}

  void run() {
    for (const bool only_own : {true, false}) {
      std::vector<std::pair<std::uint32_t, KernelClass>> fitted;
      for (std::uint32_t c = 0; c < demands_.classes.size(); ++c) {
        if (!examples_.is_candidate(c) || demands_.classes[c].is_fitted || communicates(c))
          continue;
        KernelClass one = demands_.classes[c];
        if (fit(c, only_own, one)) fitted.emplace_back(c, one);
      }
      for (const auto& [c, one] : fitted) demands_.classes[c] = one;
    }
  }

 private:
  bool communicates(std::uint32_t c) const {
    const std::uint32_t name = demands_.classes[c].name;
    return name < communication_.size() && communication_[name];
  }

  // The sum of demands where those that are not known yet are `part` of what they can be.
  double sum_of(const Mix& mix, double part) const {
    double sum = 0;
    for (const auto& [c, count] : mix.kernels) {
      const KernelClass& one = demands_.classes[c];
      const bool is_given = one.is_fitted || communicates(c);
      sum += count * one.demand.most * (is_given ? 1 : part);
    }
    return sum;
  }

  bool is_usable(const Example& example, bool only_own) const {
    if (!example.is_usable || (only_own && !example.is_among_its_own)) return false;
    for (const auto& [ns, mix] : example.stretches) {
      for (const auto& [c, count] : examples_.mixes[mix].kernels) {
        if (!demands_.classes[c].is_fitted && !communicates(c) && !examples_.is_candidate(c)) {
          return false;
        }
      }
    }
    return true;
  }

  // What the examples would have taken alone.
  Spread alone_at(const std::vector<const Example*>& of, double part) const {
    std::vector<double> times;
    for (const Example* example : of) {
      double time = 0;
      for (const auto& [ns, mix] : example->stretches) {
        time += static_cast<double>(ns) * speed_at(sum_of(examples_.mixes[mix], part));
      }
      times.push_back(time);
    }
    return spread_of(std::move(times));
  }

  bool fit(std::uint32_t c, bool only_own, KernelClass& one) const {
    std::vector<const Example*> of;
    for (const Example& example : examples_.examples) {
      if (example.kernel_class == c && is_usable(example, only_own)) of.push_back(&example);
    }
    if (of.size() < assumed::enough_examples) return false;
    const auto alone = static_cast<double>(one.length_alone);
    const double beside = alone_at(of, 0).median;
    const bool is_longer = beside > alone * (1 + assumed::alone_beside);
    const double target = std::min(alone, beside);
    double low = 0;
    double high = 1;
    if (alone_at(of, 1).median >= target) {
      low = 1;
    } else {
      constexpr int halvings = 40;
      for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (alone_at(of, middle).median >= target ? low : high) = middle;
      }
    }
    const Spread at_fit = alone_at(of, low);
    // Longer than its multiprocessors explain, or by as much again as not: of another reason.
    if (at_fit.median > alone * (1 + assumed::alone_beside)) return false;
    if (at_fit.share > assumed::alike_lengths) return false;
    one.is_fitted = true;
    one.spread = at_fit.share;
    one.demand.most *= low;
    // One that was not seen to get longer may share nothing at all.
    one.demand.least = is_longer ? one.demand.most : 0;
    return true;
  }

  const Examples& examples_;
  const std::vector<bool>& communication_;
  Demands& demands_;
};

}  // namespace

Demands measure_demands(const Device& device, const std::vector<bool>& communication) {
  Demands demands = classes_of(device);
  Examples examples(device, demands);
  examples.collect();
  if (!examples.examples.empty()) DemandFit(examples, communication, demands).run();
  return demands;
}

}  // namespace lapscope::analyzer
