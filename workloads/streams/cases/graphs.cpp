// Cases with CUDA graphs: what a graph saves, and what a badly captured graph costs.

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/streams/suite/captured_graph.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/chain_work.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"

namespace lapscope::workloads::streams {
namespace {

constexpr std::uint32_t tiny_kernels = 48;  // In one step.
constexpr Grid tiny{.blocks = 1, .threads = 32};

int steps_of(const Shape& shape) { return std::max(1, shape.tiles / 3); }

// The steps of a solver. Each step is a sequence of kernels of about 1 us.
class TinyKernels : public Workload {
 public:
  explicit TinyKernels(const Setting& setting)
      : shape_(setting.shape), as_graph_(!setting.broken()), work_(1, tiny.threads) {}

  PartTimes calibrate() override {
    PartTimes parts;
    launch_all();  // Loads the kernel.
    check(cudaStreamSynchronize(stream_.get()), "wait for a calibration");
    parts.launch_us = host_us([this] { launch_all(); }) / tiny_kernels;
    work_.note(0, 1, step, 2 * tiny_kernels);
    graph_.emplace(stream_.get(), [this] { launch_all(); });
    parts.kernel_us = kernel_in_graph_us();
    parts.other_us = graph_among_others_us();
    return parts;
  }

  void run() override {
    for (int i = 0; i < steps_of(shape_); ++i) {
      const TileRange range(i);
      if (as_graph_) {
        launch_graph();
      } else {
        PLANTED("tiny-kernels", launch_all());
        work_.note(0, 1, step, tiny_kernels);
      }
    }
    check(cudaDeviceSynchronize(), "wait for the kernels");
  }

  void verify() override { work_.verify(); }

 private:
  void launch_all() {
    for (std::uint32_t i = 0; i < tiny_kernels; ++i) {
      work_.kernel().launch(work_.data(0), work_.elements(), step, 1, tiny, stream_.get());
    }
  }
  void launch_graph() {
    graph_->launch(stream_.get());
    work_.note(0, 1, step, tiny_kernels);
  }

  // Returns the time of a kernel of a graph and of the gap after it, by the device's clock. Two
  // markers inside the graph read this clock, so the launch of the graph does not count.
  double kernel_in_graph_us() {
    const double all = between_markers_us([this] { launch_all(); });
    work_.note(0, 1, step, 2 * tiny_kernels);
    return (all - between_markers_us([] {})) / tiny_kernels;
  }

  // Launches a graph twice. The graph has a marker, the work of `issue`, and another marker.
  // Returns the time between the markers in the second launch.
  template <typename Issue>
  double between_markers_us(Issue issue) {
    const CapturedGraph graph(stream_.get(), [&] {
      marker_.launch(spans_.data(), std::chrono::nanoseconds(0), 1, stream_.get());
      issue();
      marker_.launch(spans_.data() + 1, std::chrono::nanoseconds(0), 1, stream_.get());
    });
    for (int i = 0; i < 2; ++i) {
      graph.launch(stream_.get());
      check(cudaStreamSynchronize(stream_.get()), "wait for a calibration");
    }
    return static_cast<double>(spans_.data()[1].start_ns - spans_.data()[0].end_ns) / 1e3;
  }

  // Returns the time between the starts of two graphs: the time of two graphs minus the time of one
  // graph. Both times include the work of events and of a recorder. The difference does not.
  double graph_among_others_us() {
    const auto measured = [this](int graphs) {
      return stream_us(stream_.get(), [&] {
        for (int i = 0; i < graphs; ++i) launch_graph();
      });
    };
    const double one = measured(1);
    return measured(2) - one;
  }

  Shape shape_;
  bool as_graph_;
  ChainWork work_;
  Stream stream_{StreamKind::non_blocking};
  SpanKernel marker_;
  PinnedBuffer<KernelSpan> spans_{2};
  std::optional<CapturedGraph> graph_;
};

double tiny_sum_us(const PartTimes& parts, const Shape& shape) {
  return steps_of(shape) * static_cast<int>(tiny_kernels) * parts.kernel_us;
}

Expectation paced_by_launches(const PartTimes& parts, const Shape& shape) {
  return {steps_of(shape) * static_cast<int>(tiny_kernels) * parts.launch_us,
          tiny_sum_us(parts, shape)};
}

Expectation as_graphs(const PartTimes& parts, const Shape& shape) {
  return {steps_of(shape) * parts.other_us, tiny_sum_us(parts, shape)};
}

Case tiny_case() {
  Case result = pair_of(
      {.name = "tiny-kernels",
       .wrong = "48 kernels a step that last a microsecond each are launched one by one: launching "
                "takes longer than running.",
       .fix = "Capture the step into a CUDA graph, and launch that."},
      Cause::launch_overhead, paced_by_launches, as_graphs);
  // The tolerances cover these differences, on an H200:
  // - The expected sum counts 1.32 us for a kernel: its time in a graph and the gap after it. A
  //   recorded kernel takes 1.06 us in a graph, and 0.93 us without a graph.
  // - A launch of a kernel takes 3 us. A collector adds 1 to 2 us in the run. In the calibration,
  //   it adds a different time.
  // - A launch of a single graph takes 47 to 61 us, depending on the process.
  result.variants.front().wall_tolerance = 0.2;
  result.variants.front().sum_tolerance = 0.35;
  result.variants.back().wall_tolerance = 0.2;
  result.variants.back().sum_tolerance = 0.25;
  result.ignored = {"--tile-mib", "--kernel-us"};
  result.make = [](const Setting& setting) { return std::make_unique<TinyKernels>(setting); };
  return result;
}

constexpr std::size_t branches = 4;
constexpr Grid branch_grid{.blocks = 1};

// Independent kernels in one graph.
class Branches : public Workload {
 public:
  explicit Branches(const Setting& setting)
      : shape_(setting.shape), chained_(setting.broken()), work_(branches, branch_grid.threads) {}

  PartTimes calibrate() override {
    PartTimes parts;
    const cudaStream_t stream = streams_[0].get();
    iterations_ = work_.iterations_for(shape_.kernel_us, branch_grid, branch_grid.threads, stream);
    parts.kernel_us =
        stream_us(stream, [&] { work_.launch(0, 1, step, iterations_, branch_grid, stream); });
    graph_.emplace(stream, [this] { capture(); });
    return parts;
  }

  void run() override {
    for (int i = 0; i < steps_of(shape_); ++i) {
      const TileRange range(i);
      graph_->launch(streams_[0].get());
      work_.note(0, branches, step, iterations_);
    }
    check(cudaDeviceSynchronize(), "wait for the graphs");
  }

  void verify() override { work_.verify(); }

 private:
  // The planted cause: a graph has the order of the streams from which it was captured.
  void capture() {
    fork_.record(streams_[0].get());
    for (std::size_t i = 0; i < branches; ++i) {
      const cudaStream_t stream = streams_[chained_ ? 0 : i].get();
      if (!chained_ && i > 0) fork_.hold(stream);
      PLANTED("graph-chain", work_.kernel().launch(work_.data(i), work_.elements(), step,
                                                   iterations_, branch_grid, stream));
      if (chained_ || i == 0) continue;
      joins_[i].record(stream);
      joins_[i].hold(streams_[0].get());
    }
  }

  Shape shape_;
  bool chained_;
  ChainWork work_;
  std::array<Stream, branches> streams_{
      Stream(StreamKind::non_blocking), Stream(StreamKind::non_blocking),
      Stream(StreamKind::non_blocking), Stream(StreamKind::non_blocking)};
  Event fork_{EventKind::ordering};
  std::array<Event, branches> joins_{Event(EventKind::ordering), Event(EventKind::ordering),
                                     Event(EventKind::ordering), Event(EventKind::ordering)};
  std::optional<CapturedGraph> graph_;
  std::uint32_t iterations_ = 0;
};

Expectation branch_after_branch(const PartTimes& parts, const Shape& shape) {
  const double all = steps_of(shape) * static_cast<int>(branches) * parts.kernel_us;
  return {all, all};
}

Expectation all_branches(const PartTimes& parts, const Shape& shape) {
  return {steps_of(shape) * parts.kernel_us, branch_after_branch(parts, shape).sum_us};
}

Case chain_case() {
  Case result = pair_of(
      {.name = "graph-chain",
       .wrong = "A graph of four independent kernels was captured from one stream, whose order "
                "became the edges of the graph.",
       .fix = "Fork the capture into as many streams as there are branches, and join them by "
              "events."},
      Cause::graph_edge, branch_after_branch, all_branches);
  result.ignored = {"--tile-mib"};
  result.make = [](const Setting& setting) { return std::make_unique<Branches>(setting); };
  return result;
}

}  // namespace

std::vector<Case> graph_cases() { return {tiny_case(), chain_case()}; }

}  // namespace lapscope::workloads::streams
