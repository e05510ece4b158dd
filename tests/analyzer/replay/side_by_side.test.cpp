#include <array>
#include <cstdio>
#include <string>

#include "analyzer/graph/sharing.h"
#include "analyzer/measures/demand.h"
#include "analyzer/replay/replay.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

// Compares predicted and measured times of K equal kernels in K streams, relative to one kernel
// alone (H200, driver 580.159.04, CUDA 13.0, 2026-11-22).
namespace lapscope::analyzer {
namespace {

constexpr DeviceLimits h200{132, 32, 64, 32, 65'536, 233'472};
constexpr std::int64_t length = 1'000'000;  // ns; duration of one kernel alone

struct Row {
  const char* kernel;
  std::int64_t blocks;
  std::int64_t threads;
  std::array<double, 3> measured;  // relative times of two, four and eight at once
  // The measured times of four and eight kernels may be shorter than predicted, by this share of
  // the prediction. The prediction uses the measured time of two kernels.
  double longer_by = 0.15;
};
constexpr std::array<int, 3> at_once = {2, 4, 8};
constexpr Row rows[] = {
    {"spin on the clock", 264, 256, {1.03, 1.10, 2.04}},
    {"chain of multiply-adds", 33, 256, {1.04, 1.11, 1.43}},
    {"chain of multiply-adds", 66, 256, {1.04, 1.45, 2.41}},
    {"chain of multiply-adds", 132, 256, {1.22, 2.27, 4.29}},
    {"chain of multiply-adds", 264, 256, {1.88, 3.55, 6.86}},
    {"four independent chains", 66, 128, {1.09, 1.80, 3.21}, 0.27},
    {"four independent chains", 132, 128, {1.71, 3.11, 6.03}},
    {"random reads of 64 MB", 132, 256, {1.02, 1.05, 1.18}},
    {"random reads of 64 MB", 264, 256, {1.02, 1.06, 1.70}},
    {"random reads of 64 MB", 528, 256, {1.04, 1.65, 2.69}},
    {"copy of 512 MB", 132, 256, {1.00, 1.03, 1.31}},
    {"copy of 512 MB", 264, 256, {1.01, 1.12, 3.27}},
    {"copy of 512 MB", 528, 256, {1.03, 2.58, 6.03}},
};

Device device_of(const Row& row) {
  Device device;
  device.limits = h200;
  constexpr std::int64_t registers = 32;
  device.ops.geometries.push_back({row.blocks, row.threads, registers, 0});
  return device;
}

void add_kernel(Device& device, std::int64_t start, std::int64_t end) {
  test::add_op(device.ops, {start, end}, Engine::compute, 0);
  device.ops.name.back() = 0;
  device.ops.geometry.back() = 0;
}

// Returns the demand in a trace with three single kernels, and with three overlapping pairs if
// `with_pairs` is true.
Demand demand_of_trace(const Row& row, bool with_pairs) {
  Device device = device_of(row);
  std::int64_t now = 0;
  for (int i = 0; i < 3; ++i, now += 2 * length) add_kernel(device, now, now + length);
  const auto longer = static_cast<std::int64_t>(row.measured[0] * length);
  for (int i = 0; with_pairs && i < 3; ++i, now += 3 * length) {
    add_kernel(device, now, now + longer);
    add_kernel(device, now, now + longer);
  }
  return measure_demands(device, {}).classes.at(0).demand;
}

// Predicts the time of equal kernels that start together, divided by the time of one kernel.
// `kernels` is their number.
double predicted(const Row& row, const Demand& demand, int kernels, Sharing end) {
  const Device device = device_of(row);
  Graph graph;
  graph.streams.resize(1);
  graph.traits.resize(1);
  graph.uses.push_back(sm_use(device.ops.geometries[0], device.limits).value());
  graph.demands.push_back(demand);
  graph.sharing = end;
  for (int k = 0; k < kernels; ++k) {
    Lengths own;
    own.work = own.all_resident = length;
    graph.lengths.edit().push_back(own);
    graph.times.tasks.edit().push_back({0, length});
    Task task;
    task.op = static_cast<std::uint32_t>(k);
    task.geometry = 0;
    task.kernel_class = 0;
    graph.tasks.edit().push_back(task);
  }
  graph.edge_begin.edit().resize(graph.tasks.size() + 1);
  graph.bindings.edit().resize(graph.tasks.size());
  graph.issue_offsets.edit().resize(graph.tasks.size());
  const Replayed times = replay(graph);
  REQUIRE(times.stuck == 0);
  std::int64_t last = 0;
  for (const Interval& task : times.tasks) last = std::max(last, task.end);
  return static_cast<double>(last) / length;
}

// Measured times repeat within this relative error.
constexpr double short_by = 0.01;

// Returns whether all kernels fit into one round. If not, the model makes two full rounds, but a
// real GPU refills places block by block. So the measured time can be shorter than the prediction.
bool are_in_one_round(const Row& row, int kernels) {
  constexpr std::int64_t threads = 2'048;
  return kernels * row.blocks * row.threads <= h200.multiprocessors * threads;
}

TEST_CASE("the measured time of kernels at once lies between the two ends of the prediction") {
  for (const Row& row : rows) {
    const Demand demand = demand_of_trace(row, false);
    std::printf("%-24s %3d blocks, never seen at once:", row.kernel, static_cast<int>(row.blocks));
    for (std::size_t i = 0; i < at_once.size(); ++i) {
      const double most = predicted(row, demand, at_once[i], Sharing::most);
      const double least = predicted(row, demand, at_once[i], Sharing::least);
      std::printf("  x%d %.2f in %.2f to %.2f", at_once[i], row.measured[i], least, most);
      INFO(row.kernel << " x" << at_once[i] << ": " << least << " to " << most);
      CHECK(row.measured[i] <= most * (1 + short_by));
      if (are_in_one_round(row, at_once[i])) CHECK(row.measured[i] >= least * (1 - short_by));
    }
    std::printf("\n");
  }
}

TEST_CASE("the time of two kernels at once predicts the times of four and eight kernels at once") {
  for (const Row& row : rows) {
    const Demand demand = demand_of_trace(row, true);
    std::printf("%-24s %3d blocks, seen two at once:  ", row.kernel, static_cast<int>(row.blocks));
    for (std::size_t i = 1; i < at_once.size(); ++i) {
      const double most = predicted(row, demand, at_once[i], Sharing::most);
      const double least = predicted(row, demand, at_once[i], Sharing::least);
      std::printf("  x%d %.2f in %.2f to %.2f", at_once[i], row.measured[i], least, most);
      INFO(row.kernel << " x" << at_once[i] << ": " << least << " to " << most);
      CHECK(row.measured[i] <= most * (1 + short_by));
      const bool is_known = demand.least == demand.most;
      if (is_known || are_in_one_round(row, at_once[i])) {
        CHECK(row.measured[i] >= least * (1 - (is_known ? row.longer_by : short_by)));
      }
      // The demand is known if two kernels took longer than one. Otherwise only bounds are known.
      CHECK((demand.least == demand.most) == (row.measured[0] > 1.05));
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace lapscope::analyzer
