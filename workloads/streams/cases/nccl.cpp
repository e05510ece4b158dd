// Imitates data-parallel training on several GPUs. Each GPU computes a layer. While the GPUs
// compute the next layer, NCCL adds up the results of all GPUs. NCCL's kernel needs room on the
// multiprocessors, too.

#include <algorithm>
#include <memory>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/chain_work.h"
#include "workloads/streams/suite/nccl.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/tile_store.h"

namespace lapscope::workloads::streams {
namespace {

constexpr int ranks = 2;
constexpr std::size_t tiles_to_add = 4;  // An all-reduce adds up the data of this many tiles.
constexpr double layer_us = 500;         // Longer than the all-reduce.
constexpr unsigned processors_for_nccl =
    12;                             // Left free by a reduced grid: one per channel, and some more.
constexpr std::size_t rounds = 40;  // Elements per thread, if all multiprocessors take part.

int priority_of(const Setting& setting) {
  int lowest = 0;
  int highest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "read the range of priorities");
  return setting.variant == "high-priority" ? highest : 0;
}

// The objects of one GPU. All layers use the same array of gradients. On GPU i, each byte of
// this array is i + 1. After the run, `total` is the same on all GPUs.
struct Replica {
  Replica(const Setting& setting, std::size_t elements)
      : layer(1, elements),
        gradient(tiles_to_add * setting.shape.tile_elements()),
        total(tiles_to_add * setting.shape.tile_elements()),
        compute(StreamKind::non_blocking),
        communicate(StreamKind::non_blocking, priority_of(setting)) {}

  ChainWork layer;
  DeviceBuffer<std::uint32_t> gradient;
  DeviceBuffer<std::uint32_t> total;
  Stream compute;
  Stream communicate;
  Event computed{EventKind::ordering};
  Event added{EventKind::ordering};
};

class AllReduce : public Workload {
 public:
  explicit AllReduce(const Setting& setting)
      : shape_(setting.shape),
        one_stream_(setting.broken()),
        full_grid_(grid_of(static_cast<unsigned>(setting.device.multiprocessors))),
        grid_(setting.variant == "fixed" ? grid_of(blocks_of_reduced_grid(setting)) : full_grid_),
        communicators_(nccl_.connect(ranks)) {
    // All variants have the same number of elements, so a smaller grid needs more rounds.
    const std::size_t elements =
        rounds * Grid{}.threads * static_cast<std::size_t>(setting.device.multiprocessors);
    for (int gpu = 0; gpu < ranks; ++gpu) {
      const CurrentDevice current(gpu);
      replicas_.push_back(std::make_unique<Replica>(setting, elements));
      const Replica& replica = *replicas_.back();
      check(cudaMemset(replica.gradient.data(), gpu + 1, bytes()), "set the gradient");
      check(cudaDeviceSynchronize(), "wait for a device");
    }
  }
  AllReduce(const AllReduce&) = delete;
  AllReduce& operator=(const AllReduce&) = delete;
  ~AllReduce() override {
    for (const Nccl::Communicator communicator : communicators_) nccl_.disconnect(communicator);
  }

  PartTimes calibrate() override {
    PartTimes parts;
    Replica& first = *replicas_.front();
    // All variants are calibrated with all multiprocessors, so that they do the same work.
    iterations_ = first.layer.iterations_for(shape_.kernel_us, full_grid_, first.layer.elements(),
                                             first.compute.get());
    for (int gpu = ranks - 1; gpu >= 0; --gpu) {
      const CurrentDevice current(gpu);
      parts.kernel_us =
          stream_us(replicas_[static_cast<std::size_t>(gpu)]->compute.get(), [&] { compute(gpu); });
    }
    add_up();  // The first all-reduce sets up NCCL's connections.
    wait();
    parts.other_us = stream_us(communication_stream(first), [this] { add_up(); });
    wait();
    return parts;
  }

  void run() override {
    for (int layer = 0; layer < shape_.tiles; ++layer) {
      const TileRange range(layer);
      for (int gpu = 0; gpu < ranks; ++gpu) {
        const CurrentDevice current(gpu);
        compute(gpu);
        Replica& replica = *replicas_[static_cast<std::size_t>(gpu)];
        replica.computed.record(replica.compute.get());
        replica.computed.hold(communication_stream(replica));
      }
      PLANTED("nccl-all-reduce", add_up());
    }
    wait();
  }

  void verify() override {
    std::vector<std::uint32_t> found(bytes() / sizeof(std::uint32_t));
    for (int gpu = 0; gpu < ranks; ++gpu) {
      const CurrentDevice current(gpu);
      const Replica& replica = *replicas_[static_cast<std::size_t>(gpu)];
      replica.layer.verify();
      check(cudaMemcpy(found.data(), replica.total.data(), bytes(), cudaMemcpyDeviceToHost),
            "copy the sum to the host");
      require_value(found, 0x01010101U + 0x02020202U, "the sum over the GPUs");
    }
  }

  void clear() override {
    for (int gpu = 0; gpu < ranks; ++gpu) {
      const CurrentDevice current(gpu);
      check(cudaMemset(replicas_[static_cast<std::size_t>(gpu)]->total.data(), 0, bytes()),
            "clear the sum");
      check(cudaDeviceSynchronize(), "wait for a device");
    }
  }

 private:
  static unsigned blocks_of_reduced_grid(const Setting& setting) {
    const auto processors = static_cast<unsigned>(setting.device.multiprocessors);
    return std::max(processors, 2 * processors_for_nccl) - processors_for_nccl;
  }
  // A block fills a multiprocessor.
  static Grid grid_of(unsigned blocks) {
    return {.blocks = blocks, .shared_bytes = ChainKernel::most_shared_bytes()};
  }

  std::size_t bytes() const { return tiles_to_add * shape_.tile_bytes(); }

  cudaStream_t communication_stream(const Replica& replica) const {
    return one_stream_ ? replica.compute.get() : replica.communicate.get();
  }

  void compute(int gpu) {
    Replica& replica = *replicas_[static_cast<std::size_t>(gpu)];
    replica.layer.launch(0, 1, step, iterations_, grid_, replica.compute.get());
  }

  void add_up() const {
    nccl_.begin_group();
    for (std::size_t gpu = 0; gpu < ranks; ++gpu) {
      const Replica& replica = *replicas_[gpu];
      nccl_.add_up(replica.gradient.data(), replica.total.data(), bytes() / sizeof(std::uint32_t),
                   communicators_[gpu], communication_stream(replica));
    }
    nccl_.end_group();
  }

  void wait() const {
    for (int gpu = 0; gpu < ranks; ++gpu) {
      const CurrentDevice current(gpu);
      check(cudaDeviceSynchronize(), "wait for a device");
    }
  }

  Shape shape_;
  bool one_stream_;
  Grid full_grid_;
  Grid grid_;
  Nccl nccl_;
  std::vector<Nccl::Communicator> communicators_;
  std::vector<std::unique_ptr<Replica>> replicas_;
  std::uint32_t iterations_ = 0;
};

// A layer and its all-reduce, one after the other.
Expectation in_turn(const PartTimes& parts, const Shape& shape) {
  const double all = shape.tiles * (parts.kernel_us + parts.other_us);
  return {all, all};
}

// The all-reduce of layer i begins together with layer i + 2, and occupies some multiprocessors. On
// these multiprocessors, blocks of layer i + 2 start only after the all-reduce. So the all-reduce
// delays the end of layer i + 2 by its whole duration, and the overlap saves nothing.
Expectation without_room(const PartTimes& parts, const Shape& shape) {
  Expectation result = in_turn(parts, shape);
  result.sum_us += (shape.tiles - 2) * parts.other_us;
  return result;
}

// The all-reduce of a layer overlaps with the next layer.
Expectation beside_next_layer(const PartTimes& parts, const Shape& shape) {
  return {shape.tiles * std::max(parts.kernel_us, parts.other_us) +
              std::min(parts.kernel_us, parts.other_us),
          in_turn(parts, shape).sum_us};
}

}  // namespace

std::vector<Case> nccl_cases() {
  Case result;
  result.name = "nccl-all-reduce";
  result.wrong =
      "The all-reduce of each layer runs in the stream of the computation; in a stream of its own "
      "(separate-streams), even of high priority (high-priority), it still waits for room while "
      "kernels fill the device.";
  result.fix =
      "A stream of its own, and kernels that leave some multiprocessors to NCCL, though they take "
      "longer by that.";
  result.variants = {
      {.name = "broken", .causes = {Cause::stream_order}, .expect = in_turn},
      {.name = "separate-streams", .causes = {Cause::sm_saturated}, .expect = without_room},
      {.name = "high-priority", .causes = {Cause::sm_saturated}, .expect = without_room},
      {.name = "fixed", .causes = {}, .expect = beside_next_layer}};
  // If a layer fills the device, its overlap with the all-reduce varies, and makes the all-reduce
  // longer. With these tolerances, the variants can still be distinguished.
  for (Variant& variant : result.variants) {
    if (variant.name != "broken") variant.sum_tolerance = 0.12;
    if (variant.causes == std::vector{Cause::sm_saturated}) variant.wall_tolerance = 0.14;
    // NVLS is off, because some virtual machines forbid multicast on the link. The other settings
    // keep recordings small: CUMEM adds calls to the set-up of NCCL, and each channel adds copies.
    variant.environment = {
        {"NCCL_NVLS_ENABLE", "0"}, {"NCCL_MAX_NCHANNELS", "8"}, {"NCCL_CUMEM_ENABLE", "0"}};
  }
  result.kernel_us = layer_us;
  result.needs = {.gpus = ranks, .libraries = {"NCCL"}};
  result.make = [](const Setting& setting) { return std::make_unique<AllReduce>(setting); };
  return {result};
}

}  // namespace lapscope::workloads::streams
