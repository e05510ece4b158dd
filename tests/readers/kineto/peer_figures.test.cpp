#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/analysis/analyze.h"
#include "tests/catch.h"
#include "tests/readers/kineto/kineto_trace.h"

// Compares lapscope's figures with those of two other tools, which were run on the same files.
// Where they differ, a comment says which one is right:
// - HTA: HolisticTraceAnalysis 0.5.0 of PyPI, get_temporal_breakdown() and get_comm_comp_overlap()
// - TraceLens: commit 171dd747, GPUEventAnalyser.compute_metrics()
namespace lapscope::analyzer {
namespace {

struct PeerOp {
  std::string category;
  std::string name;
  Ns start = 0;
  Ns ns = 0;
  int stream = 7;
};

constexpr const char* all_reduce =
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
constexpr const char* all_gather =
    "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

PeerOp gemm(Ns start, Ns ns) { return {"kernel", "gemm", start, ns}; }

std::string in_us(Ns ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

std::string events_of(std::vector<PeerOp> ops) {
  std::stable_sort(ops.begin(), ops.end(),
                   [](const PeerOp& a, const PeerOp& b) { return a.start < b.start; });
  std::string text;
  int n = 0;
  for (const PeerOp& op : ops) {
    ++n;
    const char* call = op.category == "kernel"       ? "cudaLaunchKernel"
                       : op.category == "gpu_memcpy" ? "cudaMemcpyAsync"
                                                     : "cudaMemsetAsync";
    text += fmt::format(
        R"({}{{"ph": "X", "cat": "cuda_runtime", "name": "{}", "pid": 9, "tid": 9,)"
        R"( "ts": {}, "dur": 0.500, "args": {{"External id": {}, "correlation": {}}}}})",
        n == 1 ? "" : ",\n", call, in_us((500 + n) * 1000), n, n);
    text += fmt::format(
        R"(,{}{{"ph": "X", "cat": "{}", "name": "{}", "pid": 0, "tid": {}, "ts": {},)"
        R"( "dur": {}, "args": {{"External id": {}, "device": 0, "stream": {},)"
        R"( "correlation": {}{}}}}})",
        "\n", op.category, op.name, op.stream, in_us(1'000'000 + op.start), in_us(op.ns), n,
        op.stream, n, op.category == "kernel" ? "" : ", \"bytes\": 1024");
  }
  return text;
}

DeviceResult device_of(std::vector<PeerOp> ops) {
  const Trace trace = test::trace_of_kineto(
      R"({"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 1},)"
      R"( "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "computeMajor": 9,)"
      R"( "computeMinor": 0, "numSms": 132}], "traceEvents": [)" +
      events_of(std::move(ops)) + "]}");
  return analyze(trace, {}).devices.at(0);
}

// Figures in ns. A comment has the name in TraceLens and, behind a semicolon, the name in HTA.
struct PeerFigures {
  Ns total = 0;        // total_time; kernel_time
  Ns busy = 0;         // busy_time; compute_time + non_compute_time
  Ns idle = 0;         // idle_time
  Ns compute = 0;      // computation_time; compute_time: without communication
  Ns all_comm = 0;     // total_comm_time
  Ns bare_comm = 0;    // exposed_comm_time
  Ns copies = 0;       // total_memcpy_time
  Ns bare_copies = 0;  // exposed_memcpy_time

  friend bool operator==(const PeerFigures&, const PeerFigures&) = default;
  friend std::ostream& operator<<(std::ostream& out, const PeerFigures& one) {
    return out << one.total << ' ' << one.busy << ' ' << one.idle << ' ' << one.compute << ' '
               << one.all_comm << ' ' << one.bare_comm << ' ' << one.copies << ' '
               << one.bare_copies;
  }
};

PeerFigures figures_of(const DeviceResult& device) {
  const auto value = [&device](std::string_view name) {
    for (const MeasureResult& one : device.scope.measures) {
      if (one.measure->name == name) return Ns{std::get<Nanoseconds>(one.value).count};
    }
    return Ns{-1};
  };
  const auto busy_of = [&device](Engine engine) {
    for (const EngineResult& one : device.engines) {
      if (one.engine == engine) return one.busy_ns;
    }
    return Ns{0};
  };
  PeerFigures figures{value("wall"), value("busy"), value("idle")};
  for (const CollectiveResult& one : device.collectives) {
    figures.all_comm += one.sum_ns;
    figures.bare_comm += one.sum_ns - one.hidden_ns;
  }
  figures.compute = busy_of(Engine::compute);
  figures.copies = busy_of(Engine::h2d) + busy_of(Engine::d2h);
  figures.bare_copies = figures.busy - busy_of(Engine::compute) - figures.bare_comm;
  return figures;
}

constexpr Ns one_us = 1000;

TEST_CASE("kernels with gaps in one stream: both peers' figures") {
  std::vector<PeerOp> ops;
  Ns now = 0;
  for (int i = 0; i < 60; ++i) {
    const Ns length = (8 + i * 37 % 53) * one_us;
    ops.push_back(gemm(now, length));
    now += length + (i % 6 == 5 ? 40 : 3) * one_us;
  }
  // HTA reports idle 510, compute 1999, kernel 2509 us. TraceLens reports the same.
  CHECK(figures_of(device_of(ops)) ==
        PeerFigures{2509 * one_us, 1999 * one_us, 510 * one_us, 1999 * one_us, 0, 0, 0, 0});
}

TEST_CASE("training with collectives and copies to the device: both peers' figures") {
  std::vector<PeerOp> ops;
  Ns now = 100;
  Ns free = 0;
  for (int i = 0; i < 120; ++i) {
    const int length = 20 + i * 37 % 53;
    if (i % 10 == 0) {
      ops.push_back(
          {"gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", (now - 15) * one_us, 18 * one_us, 24});
    }
    ops.push_back(gemm(now * one_us, length * one_us));
    if (i % 6 == 3) {
      const Ns start = std::max(free, now + length - 10);
      const int comm = 60 + i * 13 % 41;
      ops.push_back({"kernel", all_reduce, start * one_us, comm * one_us, 20});
      free = start + comm;
    }
    now += length + (i % 30 == 29 ? 90 : 2);
  }
  const DeviceResult device = device_of(ops);
  // HTA reports idle 370, compute 5502, non-compute 147 us. TraceLens reports computation 5502,
  // exposed_comm 79, exposed_memcpy 68, busy 5649, idle 370, total 6019, total_comm 1630,
  // total_memcpy 216 us.
  CHECK(figures_of(device) == PeerFigures{6019 * one_us, 5649 * one_us, 370 * one_us, 5502 * one_us,
                                          1630 * one_us, 79 * one_us, 216 * one_us, 68 * one_us});
  // HTA: comp_comm_overlap_pctg 95.15.
  for (const MeasureResult& one : device.scope.measures) {
    if (one.measure->name == "comm_hidden")
      CHECK(std::abs(std::get<Ratio>(one.value).value() - 0.9515) < 0.00005);
  }
}

// 200 kernels take 1.2 to 4.2 us each, 547.924 us together, and do not overlap. HTA rounds times
// down to whole us, and reports compute 350, idle 337, kernel 687 us. lapscope and TraceLens report
// computation 547.924, idle 139.3, total 687.224 us.
TEST_CASE(
    "for kernels of a few us, figures equal those of TraceLens, not the rounded ones of HTA") {
  std::vector<PeerOp> ops;
  Ns now = 0;
  Ns sum = 0;
  for (int i = 0; i < 200; ++i) {
    const Ns length = 1200 + i * 977 % 3001;
    ops.push_back(gemm(now, length));
    now += length + 700;
    sum += length;
  }
  CHECK(sum == 547'924);
  CHECK(figures_of(device_of(ops)) == PeerFigures{687'224, 547'924, 139'300, 547'924, 0, 0, 0, 0});
}

// Results of the tools. They differ in whether a memset and a copy within the device are compute:
//
//              memset is   copy is   compute time   time of the collective beside compute
//   HTA        memory      memory     90 us          0 us
//   TraceLens  compute     copy      110 us         20 us
//   lapscope   compute     compute   140 us         45 us
//
// In lapscope, both are compute, because they use no copy engine of the link.
//
//   stream 7   kernel     memset  copy    kernel
//   stream 20        collective......
TEST_CASE("memsets and copies within the device are compute, unlike in HTA and TraceLens") {
  const DeviceResult device =
      device_of({gemm(0, 50 * one_us),
                 {"gpu_memset", "Memset (Device)", 60 * one_us, 20 * one_us},
                 {"gpu_memcpy", "Memcpy DtoD (Device -> Device)", 90 * one_us, 30 * one_us},
                 {"kernel", all_gather, 55 * one_us, 60 * one_us, 20},
                 gemm(130 * one_us, 40 * one_us)});
  const PeerFigures figures = figures_of(device);
  CHECK(figures == PeerFigures{170 * one_us, 155 * one_us, 15 * one_us, 140 * one_us, 60 * one_us,
                               15 * one_us, 0, 0});
  // HTA's compute time is the time of the kernels.
  Ns kernels = 0;
  for (const OpGroup& one : device.groups) {
    if (one.name == "gemm") kernels += one.sum_ns;
  }
  CHECK(kernels == 90 * one_us);
}

}  // namespace
}  // namespace lapscope::analyzer
