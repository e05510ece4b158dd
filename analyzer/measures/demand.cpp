#include "analyzer/measures/demand.h"

#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>

#include "analyzer/measures/occupancy.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// Limits two numbers: the launches to which the demand of a class is fitted, and the mixes of
// kernels that ran during one launch. A launch with more mixes is not used. A greater limit takes
// more time and does not change the median.
constexpr std::size_t most_examples = 64;

// Returns the upper bound of a class's demand. This bound is larger than the share of the
// multiprocessors on which the blocks run, because one multiprocessor can use more than its share
// of the throughput. For kernels that communicate, it is equal to this share: they mostly wait, so
// they use less throughput in measurements.
double most_of(const Device& device, std::uint32_t geometry, bool communicates) {
  if (geometry == no_index || device.limits.multiprocessors <= 0) return 1;
  const std::int64_t blocks = device.ops.geometries[geometry].blocks;
  if (blocks <= 0) return 1;
  const Share share =
      static_cast<double>(blocks) / static_cast<double>(device.limits.multiprocessors);
  return std::min(1.0, communicates ? share : share * assumed::shares_of_one);
}

Demands classes_of(const Device& device, const std::vector<bool>& communication) {
  const Ops& ops = device.ops;
  Demands result;
  result.class_of.assign(ops.size(), no_index);
  std::unordered_map<std::uint64_t, std::uint32_t> known;  // by name and geometry
  for (std::size_t op = 0; op < ops.size(); ++op) {
    if (ops.kind[op] != OpKind::kernel) continue;
    const auto [place, is_new] =
        known.try_emplace(std::uint64_t{ops.name[op]} << 32 | ops.geometry[op],
                          static_cast<std::uint32_t>(result.classes.size()));
    if (is_new) {
      KernelClass added;
      added.name = ops.name[op];
      added.geometry = ops.geometry[op];
      added.demand.most = most_of(device, added.geometry, communicates(communication, added.name));
      result.classes.push_back(added);
    }
    result.class_of[op] = place->second;
  }
  return result;
}

// The median of values, and their interquartile range divided by the median.
struct Spread {
  double median = 0;
  Share share = 0;
};
Spread spread_of_sorted(std::size_t size, const auto& value) {
  const std::size_t last = size - 1;
  Spread spread{value(size / 2)};
  if (spread.median > 0) {
    spread.share = (value(last - last / 4) - value(last / 4)) / spread.median;
  }
  return spread;
}
Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return spread_of_sorted(values.size(), [&](std::size_t i) { return values[i]; });
}

// Kernels that run at the same time: their classes, and the number of kernels of each class.
using Mix = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
// A launch that ran beside other kernels. `stretches` has the time in ns for which the launch ran
// in each mix, by the index of the mix.
struct Example {
  bool is_usable = true;
  std::map<std::uint32_t, Ns> stretches;
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
    find_kernels_beside();
    find_lengths_alone();
  }

  // Collects the examples of all candidates (is_candidate()).
  void collect() {
    examples_.resize(demands_.classes.size());
    sweep();
  }

  // Whether class `c` has a length_alone and enough launches that ran mostly beside other kernels.
  bool is_candidate(std::uint32_t c) const {
    const KernelClass& one = demands_.classes[c];
    return one.length_alone > 0 && one.beside >= assumed::enough_examples;
  }

  const std::vector<Example>& of_class(std::uint32_t c) const { return examples_[c]; }
  const Mix& mix(std::uint32_t m) const { return mixes_[m]->first; }

 private:
  // A running launch whose example is being collected.
  struct Followed {
    std::uint32_t op = no_index;
    std::size_t example = 0;  // index in examples_ of the launch's class
  };

  bool is_kernel(std::uint32_t op) const {
    return demands_.class_of[op] != no_index && ops_.start[op] < ops_.end[op];
  }
  double length_of(std::uint32_t op) const {
    return static_cast<double>(ops_.end[op] - ops_.start[op]);
  }

  // For each kernel, finds out whether it ran alone or mostly beside other kernels.
  void find_kernels_beside() {
    struct Active {
      Ns end;
      std::uint32_t op;
      Ns beside;  // the value of the variable `beside` below when the kernel started
      bool operator>(const Active& other) const { return end > other.end; }
    };
    is_alone_.assign(ops_.size(), false);
    is_beside_.assign(ops_.size(), false);
    std::priority_queue<Active, std::vector<Active>, std::greater<>> active;  // first end on top
    // The total time until `now` in which two or more kernels ran.
    Ns beside = 0;
    Ns now = 0;
    const auto pass = [&](Ns until) {
      if (active.size() >= 2) beside += until - now;
      now = until;
    };
    const auto end_first = [&] {
      const Active ended = active.top();
      pass(ended.end);
      active.pop();
      const auto own = static_cast<double>(beside - ended.beside);
      is_alone_[ended.op] = own <= assumed::hardly_any * length_of(ended.op);
      is_beside_[ended.op] = own >= assumed::majority * length_of(ended.op);
    };
    for (std::uint32_t op = 0; op < ops_.size(); ++op) {
      if (!is_kernel(op)) continue;
      while (!active.empty() && active.top().end <= ops_.start[op]) end_first();
      pass(ops_.start[op]);
      active.push({ops_.end[op], op, beside});
    }
    while (!active.empty()) end_first();
  }

  // Sets length_alone of each class: the median length of its launches that ran alone. Leaves it 0
  // if there are too few such launches, or if their lengths differ too much.
  void find_lengths_alone() {
    for (std::uint32_t op = 0; op < ops_.size(); ++op) {
      if (!is_kernel(op)) continue;
      KernelClass& one = demands_.classes[demands_.class_of[op]];
      if (is_alone_[op]) ++one.alone;
      if (!is_alone_[op] && is_beside_[op]) ++one.beside;
    }
    // The launches that ran alone, sorted by class.
    std::vector<std::size_t> next{0};
    for (const KernelClass& one : demands_.classes) next.push_back(next.back() + one.alone);
    std::vector<std::uint32_t> alone(next.back());
    for (std::uint32_t op = 0; op < ops_.size(); ++op) {
      if (is_kernel(op) && is_alone_[op]) alone[next[demands_.class_of[op]]++] = op;
    }
    std::size_t first = 0;
    for (KernelClass& one : demands_.classes) {
      const std::span<std::uint32_t> own = std::span(alone).subspan(first, one.alone);
      first += one.alone;
      if (own.size() < assumed::enough_examples) continue;
      std::sort(own.begin(), own.end(),
                [this](std::uint32_t a, std::uint32_t b) { return length_of(a) < length_of(b); });
      const Spread spread =
          spread_of_sorted(own.size(), [&](std::size_t i) { return length_of(own[i]); });
      if (spread.share <= assumed::large_part) {
        one.length_alone = static_cast<std::int64_t>(spread.median);
      }
    }
  }

  void sweep() {
    std::vector<std::uint32_t> running;
    std::vector<Followed> followed;  // the running launches that are examples
    Ns now = 0;
    const auto pass = [&](Ns until) {
      if (now < until && !followed.empty()) add(until - now, running, followed);
      now = until;
    };
    const auto end_until = [&](Ns until) {
      while (!running.empty()) {
        const auto first = std::min_element(
            running.begin(), running.end(),
            [this](std::uint32_t a, std::uint32_t b) { return ops_.end[a] < ops_.end[b]; });
        if (ops_.end[*first] > until) return;
        pass(ops_.end[*first]);
        std::erase_if(followed, [&](const Followed& one) { return one.op == *first; });
        running.erase(first);
      }
    };
    for (std::uint32_t op = 0; op < ops_.size(); ++op) {
      if (!is_kernel(op)) continue;
      end_until(ops_.start[op]);
      pass(ops_.start[op]);
      // No GPU runs more kernels at once than this limit. So the trace is wrong, and further
      // kernels are ignored.
      if (running.size() >= assumed::kernels_at_once) continue;
      running.push_back(op);
      const std::uint32_t c = demands_.class_of[op];
      if (is_candidate(c) && is_beside_[op] && examples_[c].size() < most_examples) {
        followed.push_back({op, examples_[c].size()});
        examples_[c].emplace_back();
      }
    }
    end_until(latest_time);
  }

  // Adds `ns` to the examples in `followed`: the time for which the kernels in the list `running`
  // ran together.
  void add(Ns ns, const std::vector<std::uint32_t>& running, std::vector<Followed>& followed) {
    std::map<std::uint32_t, std::uint32_t> counts;
    double room = 0;
    for (const std::uint32_t op : running) {
      ++counts[demands_.class_of[op]];
      if (ops_.geometry[op] != no_index) room += room_[ops_.geometry[op]];
    }
    const auto [known, is_new] = by_mix_.try_emplace(Mix(counts.begin(), counts.end()),
                                                     static_cast<std::uint32_t>(mixes_.size()));
    if (is_new) mixes_.push_back(known);
    // If the blocks of the kernels did not fit on the device at once, the kernels took turns. Their
    // durations then show nothing about throughput.
    const bool took_turns = running.size() > 1 && is_shared(room);
    std::erase_if(followed, [&](const Followed& one) {
      Example& example = examples_[demands_.class_of[one.op]][one.example];
      example.stretches[known->second] += ns;
      example.is_usable = !took_turns && example.stretches.size() <= most_examples;
      if (!example.is_usable) example.stretches.clear();
      return !example.is_usable;
    });
  }

  const Ops& ops_;
  Demands& demands_;
  // By geometry: the number of blocks, divided by the number that fits at once; 0 if not known.
  std::vector<double> room_;
  std::vector<bool> is_alone_;   // by op: a kernel that ran alone
  std::vector<bool> is_beside_;  // by op: a kernel that ran mostly beside others
  std::map<Mix, std::uint32_t> by_mix_;
  std::vector<std::map<Mix, std::uint32_t>::const_iterator> mixes_;
  std::vector<std::vector<Example>> examples_;  // by class
};

// Fits the demands class by class. Uses only launches beside kernels of the same class or of fitted
// classes. If kernels of two unfitted classes run side by side, it is not known how much each slows
// the other down.
class DemandFit {
 public:
  DemandFit(const Examples& examples, const std::vector<bool>& communication, Demands& demands)
      : examples_(examples), communication_(communication), demands_(demands) {}

  void run() {
    // The first round fits a class only from launches that ran beside kernels of the same class.
    // The second round also uses launches that ran beside kernels of classes fitted in the first
    // round.
    constexpr int rounds = 2;
    for (int round = 0; round < rounds; ++round) {
      std::vector<std::pair<std::uint32_t, KernelClass>> fitted;
      for (std::uint32_t c = 0; c < demands_.classes.size(); ++c) {
        KernelClass one = demands_.classes[c];
        if (!examples_.is_candidate(c) || one.is_fitted || communicates(communication_, one.name)) {
          continue;
        }
        if (fit(c, one)) fitted.emplace_back(c, one);
      }
      for (const auto& [c, one] : fitted) demands_.classes[c] = one;
    }
  }

 private:
  // Returns the sum of the demands of a mix. Kernels of class `c` have the demand `own`.
  double sum_of(const Mix& mix, std::uint32_t c, double own) const {
    double sum = 0;
    for (const auto& [other, count] : mix) {
      sum += count * (other == c ? own : demands_.classes[other].demand.most);
    }
    return sum;
  }

  // Whether an example can be used to fit class `c`: all kernels beside it are of class `c` or of a
  // class with a fitted demand.
  bool is_usable(const Example& example, std::uint32_t c) const {
    if (!example.is_usable) return false;
    return std::all_of(example.stretches.begin(), example.stretches.end(), [&](const auto& part) {
      const Mix& mix = examples_.mix(part.first);
      return std::all_of(mix.begin(), mix.end(), [&](const auto& of) {
        return of.first == c || demands_.classes[of.first].is_fitted;
      });
    });
  }

  // Returns how long the examples would have taken alone, in ns. `own` is the assumed demand of
  // class `c`.
  Spread alone_at(const std::vector<const Example*>& of, std::uint32_t c, double own) const {
    std::vector<double> times;
    for (const Example* example : of) {
      double time = 0;
      for (const auto& [mix, ns] : example->stretches) {
        time += static_cast<double>(ns) * speed_at(sum_of(examples_.mix(mix), c, own));
      }
      times.push_back(time);
    }
    return spread_of(std::move(times));
  }

  bool fit(std::uint32_t c, KernelClass& one) const {
    std::vector<const Example*> of;
    for (const Example& example : examples_.of_class(c)) {
      if (is_usable(example, c)) of.push_back(&example);
    }
    if (of.size() < assumed::enough_examples || !rule::fitted_demands) return false;
    const auto alone = static_cast<double>(one.length_alone);
    // If the kernels did not slow each other down, no demand is fitted. A demand that is too small
    // to be measured here may still slow kernels down if more of them run at once. For example, two
    // kernels that each copy 512 MB take 1.03 times as long together as one kernel alone. Four such
    // kernels take 2.58 times as long.
    if (alone_at(of, c, 0).median <= alone * (1 + assumed::tolerance)) return false;
    double low = 0;
    double high = 1;
    if (alone_at(of, c, 1).median >= alone) {
      low = 1;
    } else {
      constexpr int halvings = 40;
      for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (alone_at(of, c, middle).median >= alone ? low : high) = middle;
      }
    }
    const Spread at_fit = alone_at(of, c, low);
    // The model does not fit if the launches take longer side by side than one after the other.
    if (at_fit.median > alone * (1 + assumed::tolerance)) return false;
    // For each launch, alone_at() computes the time that the launch would take alone. If these
    // times scatter widely, the model does not fit.
    if (at_fit.share > assumed::large_part) return false;
    one.is_fitted = true;
    one.demand = {low, low};
    return true;
  }

  const Examples& examples_;
  const std::vector<bool>& communication_;
  Demands& demands_;
};

}  // namespace

Demands measure_demands(const Device& device, const std::vector<bool>& communication) {
  Demands demands = classes_of(device, communication);
  Examples examples(device, demands);
  examples.collect();
  DemandFit(examples, communication, demands).run();
  return demands;
}

}  // namespace lapscope::analyzer
