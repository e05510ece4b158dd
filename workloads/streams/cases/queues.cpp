// Cases in which streams share a hardware queue. A queue runs its work in order. Work that waits
// delays all work after it in the queue, from any stream.

#include <vector>

#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/chain_work.h"
#include "workloads/streams/suite/measure_parts.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"

namespace lapscope::workloads::streams {
namespace {

constexpr Grid queued_grid{.blocks = 1};
constexpr int kernels_in_row = 2;  // Per stream and round.
constexpr double kernel_us = 300;  // Much longer than issuing a round.

// In each round, each stream gets two kernels of one block.
struct Queues {
  int streams = 0;
  int queues = 0;  // Number of queues that the streams share in the broken variant.
  int rounds = 0;
};

constexpr Queues aliased{.streams = 24, .queues = 8, .rounds = 3};
constexpr Queues ordered{.streams = 8, .queues = 1, .rounds = 2};

class ManyStreams : public Workload {
 public:
  ManyStreams(const Setting& setting, const Queues& queues, bool breadth_first)
      : shape_(setting.shape),
        queues_(queues),
        breadth_first_(breadth_first),
        work_(static_cast<std::size_t>(queues.streams), queued_grid.threads) {
    for (int i = 0; i < queues_.streams; ++i) streams_.emplace_back(StreamKind::non_blocking);
  }

  PartTimes calibrate() override {
    PartTimes parts;
    measure_round_trip(parts);
    const cudaStream_t stream = streams_[0].get();
    iterations_ = work_.iterations_for(shape_.kernel_us, queued_grid, queued_grid.threads, stream);
    parts.kernel_us = stream_us(stream, [this] { launch(0); });
    return parts;
  }

  void run() override {
    for (int round = 0; round < queues_.rounds; ++round) {
      const TileRange range(round);
      if (breadth_first_) {
        issue_breadth_first();
      } else {
        issue_depth_first();
      }
    }
    check(cudaDeviceSynchronize(), "wait for the kernels");
  }

  void verify() override { work_.verify(); }

  void report(Report& report) const override { report.add_count("streams", queues_.streams); }

 private:
  void launch(std::size_t lane) {
    work_.launch(lane, 1, step, iterations_, queued_grid, streams_[lane].get());
  }
  void issue_depth_first() {
    for (std::size_t lane = 0; lane < streams_.size(); ++lane) {
      for (int i = 0; i < kernels_in_row; ++i) PLANTED("queue-alias, issue-order", launch(lane));
    }
  }
  void issue_breadth_first() {
    for (int i = 0; i < kernels_in_row; ++i) {
      for (std::size_t lane = 0; lane < streams_.size(); ++lane) launch(lane);
    }
  }

  Shape shape_;
  Queues queues_;
  bool breadth_first_;
  ChainWork work_;
  std::vector<Stream> streams_;
  std::uint32_t iterations_ = 0;
};

double sum_us(const PartTimes& parts, const Queues& queues) {
  return queues.streams * kernels_in_row * queues.rounds * parts.kernel_us;
}

// The work is issued depth first. Streams that share a queue then overlap only in part: the second
// kernel of a stream runs together with the first kernel of the next stream.
//
//   stream 1  AB    AB
//   stream 2   AB    AB
//   stream 3    AB    AB
Expectation staircase(const PartTimes& parts, const Queues& queues) {
  const int in_queue = queues.streams / queues.queues;
  return {(in_queue * queues.rounds + 1) * parts.kernel_us, sum_us(parts, queues)};
}

// The last stream starts when the work of all earlier streams has been issued.
Expectation all_at_once(const PartTimes& parts, const Queues& queues) {
  const double issuing = queues.streams * kernels_in_row * parts.launch_us;
  return {queues.rounds * kernels_in_row * parts.kernel_us + issuing, sum_us(parts, queues)};
}

Case with_connections(Case result, const std::string& broken, const std::string& fixed) {
  constexpr const char* variable = "CUDA_DEVICE_MAX_CONNECTIONS";
  result.kernel_us = kernel_us;
  result.ignored = {"--tiles", "--tile-mib"};
  result.variants.front().environment = {{variable, broken}};
  result.variants.back().environment = {{variable, fixed}};
  return result;
}

Case alias() {
  Case result = pair_of(
      {.name = "queue-alias",
       .wrong = "24 streams share the 8 hardware queues that a process has by default.",
       .fix = "Set CUDA_DEVICE_MAX_CONNECTIONS to 32 before CUDA starts, or use fewer streams."},
      Cause::queue_alias,
      [](const PartTimes& parts, const Shape&) { return staircase(parts, aliased); },
      [](const PartTimes& parts, const Shape&) { return all_at_once(parts, aliased); });
  result.make = [](const Setting& setting) {
    return std::make_unique<ManyStreams>(setting, aliased, false);
  };
  return with_connections(std::move(result), "8", "32");
}

Case issue_order() {
  Case result = pair_of(
      {.name = "issue-order",
       .wrong = "With one hardware queue the work is issued depth first: all kernels of a stream, "
                "then those of the next.",
       .fix = "Issue breadth first: one kernel for each stream in turn."},
      Cause::queue_alias,
      [](const PartTimes& parts, const Shape&) { return staircase(parts, ordered); },
      [](const PartTimes& parts, const Shape&) { return all_at_once(parts, ordered); });
  result.make = [](const Setting& setting) {
    return std::make_unique<ManyStreams>(setting, ordered, !setting.broken());
  };
  return with_connections(std::move(result), "1", "1");
}

}  // namespace

std::vector<Case> queue_cases() { return {issue_order(), alias()}; }

}  // namespace lapscope::workloads::streams
