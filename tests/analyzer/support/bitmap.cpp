#include "tests/analyzer/support/bitmap.h"

#include <algorithm>
#include <cmath>

#include "tests/analyzer/support/picture.h"

namespace lapscope::test {

using analyzer::Engine;
using analyzer::Interval;
using analyzer::Nanoseconds;
using analyzer::OpKind;
using analyzer::ratio_or;
using analyzer::Value;

Bitmap::Bitmap(const analyzer::Subject& subject, Interval window) {
  const analyzer::Ops& ops = subject.device.ops;
  const auto demands = analyzer::measure_demands(subject.device, subject.communication);
  instants_.resize(static_cast<std::size_t>(window.length()));
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    std::int64_t inside = 0;
    const bool is_kernel = ops.kind[op] == OpKind::kernel;
    const std::uint32_t name = ops.name[op];
    const bool communicates = name < subject.communication.size() && subject.communication[name];
    const auto engine =
        static_cast<std::size_t>(communicates ? Engine::communication : ops.engine[op]);
    for (std::int64_t t = ops.start[op]; t < ops.end[op]; ++t) {
      if (t < window.start || t >= window.end) continue;
      Instant& instant = instants_[static_cast<std::size_t>(t - window.start)];
      ++inside;
      ++instant.on_engine[engine];
      ++instant.in_stream[ops.stream[op]];
      if (is_kernel) {
        ++instant.kernels;
        const analyzer::Demand& demand = demands.classes[demands.class_of[op]].demand;
        instant.demands.least += demand.least;
        instant.demands.most += demand.most;
      }
    }
    sum_ += inside;
    engine_sum_[engine] += inside;
    if (is_kernel) {
      kernel_sum_ += inside;
      if (!communicates) longest_kernel_ = std::max(longest_kernel_, inside);
    }
    if (communicates || ops.engine[op] != Engine::compute || inside == 0) continue;
    const std::uint32_t shape = ops.geometry[op];
    const std::int64_t capacity = subject.device.limits.multiprocessors;  // one block on each
    if (!is_kernel) {
      area_ += inside;
    } else if (shape == analyzer::no_index || capacity == 0) {
      knows_area_ = false;
    } else {
      area_ += inside * std::min(ops.geometries[shape].blocks, capacity) / capacity;
    }
  }
}

std::int64_t Bitmap::bound() const {
  const std::int64_t compute = knows_area_
                                   ? std::max(area_, longest_kernel_)
                                   : count([](const Instant& i) { return i.has(Engine::compute); });
  return std::min(std::max({compute, engine_sum_[1], engine_sum_[2], engine_sum_[3]}),
                  count([](const Instant& i) { return i.busy(); }));
}

std::map<std::string_view, Value> Bitmap::measures() const {
  const auto wall = static_cast<std::int64_t>(instants_.size());
  const auto of = [this](auto holds) { return count(holds); };
  const auto h2d = [](const Instant& i) { return i.has(Engine::h2d); };
  const auto d2h = [](const Instant& i) { return i.has(Engine::d2h); };
  const auto copies = [](const Instant& i) { return i.copies(); };
  const auto comm = [](const Instant& i) { return i.has(Engine::communication); };
  const auto hidden = [&](auto holds) {
    return ratio_or(of([&](const Instant& i) {
                      return holds(i) && (i.has(Engine::compute) || i.has(Engine::communication));
                    }),
                    of(holds), "");
  };
  const std::int64_t busy = of([](const Instant& i) { return i.busy(); });
  double alone = 0;
  double most_alone = 0;
  for (const Instant& instant : instants_) {
    alone += instant.kernels / std::max(1.0, instant.demands.most);
    most_alone += instant.kernels / std::max(1.0, instant.demands.least);
  }
  // The demands count as known if the two sums differ by at most 1 % of the time of kernels.
  const bool is_known = most_alone - alone <= 0.01 * static_cast<double>(kernel_sum_);
  const std::int64_t alone_ns = std::llround(alone);
  const std::int64_t sum_alone = sum_ - kernel_sum_ + alone_ns;
  const Value unknown = analyzer::Undefined{""};
  const std::int64_t kernels = of([](const Instant& i) { return i.kernels > 0; });
  return {
      {"overlap_ratio", ratio_or(sum_ - wall, sum_, "")},
      {"overlap_ratio_alone", is_known ? ratio_or(sum_alone - wall, sum_alone, "") : unknown},
      {"stretch", is_known ? ratio_or(kernel_sum_, alone_ns, "") : unknown},
      {"busy_overlap_ratio", ratio_or(sum_ - busy, sum_, "")},
      // overlap_efficiency is undefined if sum - bound is less than 3 % of the sum.
      {"overlap_efficiency",
       ratio_or(sum_ - wall, (sum_ - bound()) * 100 < sum_ * 3 ? 0 : sum_ - bound(), "")},
      {"copy_hidden", hidden(copies)},
      {"h2d_hidden", hidden(h2d)},
      {"d2h_hidden", hidden(d2h)},
      {"bidirectional", ratio_or(of([&](const Instant& i) { return h2d(i) && d2h(i); }),
                                 std::min(of(h2d), of(d2h)), "")},
      {"kernel_concurrency", ratio_or(kernel_sum_, kernels, "")},
      {"kernel_overlap", ratio_or(of([](const Instant& i) { return i.kernels > 1; }), kernels, "")},
      {"comm_hidden",
       ratio_or(of([&](const Instant& i) { return comm(i) && i.has(Engine::compute); }), of(comm),
                "")},
      {"idle_ratio", ratio_or(wall - busy, wall, "")},
      {"wall", Nanoseconds{wall}},
      {"busy", Nanoseconds{busy}},
      {"sum", Nanoseconds{sum_}},
      {"other_work", Nanoseconds{0}},
      {"idle", Nanoseconds{wall - busy}},
  };
}

bool same(const Value& a, const Value& b) {
  using analyzer::Undefined;
  const bool is_undefined = std::holds_alternative<Undefined>(a);
  if (is_undefined != std::holds_alternative<Undefined>(b)) return false;
  return is_undefined || a == b;
}

std::vector<bool> random_device_communication() { return {false, false, true, false}; }

analyzer::Device random_device(std::mt19937& random) {
  constexpr std::int64_t length = 120;
  const auto pick = [&random](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  const bool knows_shapes = pick(0, 3) > 0;
  analyzer::Ops ops;
  for (std::int64_t blocks = 1; blocks <= 15; ++blocks)
    ops.geometries.push_back({blocks, 32, 0, 0});
  const int count = pick(1, 25);
  for (int i = 0; i < count; ++i) {
    const std::int64_t start = pick(0, length - 1);
    const int longest = pick(0, 3) == 0 ? static_cast<int>(length - start) : 12;
    add_op(ops, {start, std::min<std::int64_t>(length, start + pick(0, longest))},
           analyzer::all_engines[static_cast<std::size_t>(pick(0, 3))],
           static_cast<std::uint32_t>(pick(1, 4)));
    ops.kind.back() = OpKind::memcpy;
    if (ops.engine.back() == Engine::compute && pick(0, 5) > 0) {
      ops.kind.back() = OpKind::kernel;
      ops.name.back() = static_cast<std::uint32_t>(pick(1, 3));
      if (knows_shapes) ops.geometry.back() = static_cast<std::uint32_t>(pick(0, 14));
    } else if (pick(0, 3) == 0) {
      ops.kind.back() = OpKind::memset;
    }
  }
  analyzer::Device device = device_with(ops);
  if (pick(0, 5) > 0) device.limits = {10, 32, 1, 1, 0, 0};  // one block per multiprocessor
  return device;
}

Interval random_window(const analyzer::Device& device, std::mt19937& random) {
  const Interval all = analyzer::whole(device.ops).window;
  if (random() % 4 == 0) return all;
  const auto start = static_cast<std::int64_t>(random() % 120);
  return {start, start + 1 + static_cast<std::int64_t>(random() % 60)};
}

}  // namespace lapscope::test
