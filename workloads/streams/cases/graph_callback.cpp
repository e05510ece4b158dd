// A callback within a CUDA graph.

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <vector>

#include "workloads/harness/handles.h"
#include "workloads/harness/host_work.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/harness/worker_pool.h"
#include "workloads/streams/suite/captured_graph.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/chain_work.h"
#include "workloads/streams/suite/measure_parts.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"

namespace lapscope::workloads::streams {
namespace {

constexpr int callback_workers = 2;
constexpr std::chrono::microseconds bookkeeping_length(300);

// The kernel is at least as long as the callback, so that the device ends its work after the host.
constexpr double kernel_beside_callback_us = 320;

int callback_steps(const Shape& shape) { return std::max(1, shape.tiles / 3); }

void CUDART_CB perform(void* work) { static_cast<HostWork*>(work)->perform(); }

// Each step has two kernels that fill the device, and host work. The host work can start when the
// first kernel has ended. The second kernel does not depend on the host work.
class CallbackInGraph : public Workload {
 public:
  explicit CallbackInGraph(const Setting& setting)
      : shape_(setting.shape),
        calls_back_(setting.broken()),
        grid_{.blocks = static_cast<unsigned>(setting.device.multiprocessors),
              .shared_bytes = ChainKernel::most_shared_bytes()},
        work_(1, std::size_t{grid_.blocks} * grid_.threads),
        books_(bookkeeping_length) {}

  PartTimes calibrate() override {
    PartTimes parts;
    iterations_ = work_.iterations_for(shape_.kernel_us, grid_, work_.elements(), stream_.get());
    parts.kernel_us = stream_us(stream_.get(), [this] { launch_kernel(); });
    parts.planted_us = calls_back_ ? callback_us(parts.kernel_us) : books_.us();
    for (int i = 0; i < callback_steps(shape_); ++i) {
      done_.push_back(std::make_unique<OrderEvent>());
      graphs_.push_back(
          std::make_unique<CapturedGraph>(stream_.get(), [&] { capture(*done_.back()); }));
    }
    return parts;
  }

  void run() override {
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      const TileRange range(static_cast<int>(i));
      graphs_[i]->launch(stream_.get());
      work_.note(0, 1, step, std::uint64_t{2} * iterations_);
      if (calls_back_) continue;
      pool_.submit([this, event = done_[i]->get()] {
        check(cudaEventSynchronize(event), "wait for the first kernel of a step");
        books_.perform();
      });
    }
    check(cudaDeviceSynchronize(), "wait for the graphs");
    pool_.wait();
  }

  void verify() override {
    work_.verify();
    books_.verify(graphs_.size());
  }
  void clear() override { books_.reset(); }
  void arm() override { pool_.wake(); }

 private:
  void launch_kernel() { work_.launch(0, 1, step, iterations_, grid_, stream_.get()); }

  // This function does not note the launch, because run() notes all launches of the graph.
  void capture_kernel() {
    work_.kernel().launch(work_.data(0), work_.elements(), step, iterations_, grid_, stream_.get());
  }

  void capture(const OrderEvent& done) {
    capture_kernel();
    if (calls_back_) {
      // The planted cause: the second kernel follows the callback.
      check(PLANTED("graph-callback", cudaLaunchHostFunc(stream_.get(), perform, &books_)),
            "capture a callback");
    } else {
      check(cudaEventRecordWithFlags(done.get(), stream_.get(), cudaEventRecordExternal),
            "capture the record of an event");
    }
    capture_kernel();
  }

  // Returns the time from the end of a kernel to the start of the next, with a callback in between.
  double callback_us(double kernel_us) {
    return warm_median([&] {
             return stream_us(stream_.get(), [this] {
               launch_kernel();
               check(cudaLaunchHostFunc(stream_.get(), perform, &books_), "call back");
               launch_kernel();
             });
           }) -
           2 * kernel_us;
  }

  Shape shape_;
  bool calls_back_;
  Grid grid_;
  ChainWork work_;
  Stream stream_{StreamKind::non_blocking};
  HostWork books_;
  WorkerPool pool_{callback_workers};
  std::vector<std::unique_ptr<OrderEvent>> done_;
  std::vector<std::unique_ptr<CapturedGraph>> graphs_;
  std::uint32_t iterations_ = 0;
};

Expectation with_callbacks(const PartTimes& parts, const Shape& shape) {
  const double kernels = callback_steps(shape) * 2 * parts.kernel_us;
  return {kernels + callback_steps(shape) * parts.planted_us, kernels};
}

Expectation kernels_alone(const PartTimes& parts, const Shape& shape) {
  const double kernels = callback_steps(shape) * 2 * parts.kernel_us;
  return {kernels + std::max(0.0, parts.planted_us - parts.kernel_us), kernels, kernels};
}

}  // namespace

std::vector<Case> graph_callback_cases() {
  Case result = pair_of(
      {.name = "graph-callback",
       .wrong =
           "A graph has a callback between two kernels, of which the second does not need what "
           "it does.",
       .fix = "Record an event there, and let other threads wait for that and do the work."},
      Cause::host_func, with_callbacks, kernels_alone);
  // Waking the driver's thread took 30 to 600 us.
  result.variants.front().wall_tolerance = 0.2;
  result.kernel_us = kernel_beside_callback_us;
  result.ignored = {"--tile-mib"};
  result.make = [](const Setting& setting) { return std::make_unique<CallbackInGraph>(setting); };
  return {result};
}

}  // namespace lapscope::workloads::streams
