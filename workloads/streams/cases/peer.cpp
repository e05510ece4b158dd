// A case in which two GPUs exchange data. The link can carry both directions at the same time.

#include <array>
#include <memory>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/tile_store.h"

namespace lapscope::workloads::streams {
namespace {

constexpr int peers = 2;
constexpr std::size_t tiles_in_exchange = 8;  // The link is several times faster than the host's.

// The array of one GPU, and memory for a copy of the other GPU's array.
struct Side {
  Side(const Shape& shape, int device)
      : own(tiles_in_exchange * shape.tile_elements()),
        others(tiles_in_exchange * shape.tile_elements()),
        stream(StreamKind::non_blocking) {
    check(cudaMemset(own.data(), device + 1, tiles_in_exchange * shape.tile_bytes()),
          "set the array of a device");
  }

  DeviceBuffer<std::uint32_t> own;
  DeviceBuffer<std::uint32_t> others;
  Stream stream;
};

void enable_access(int from, int to) {
  int possible = 0;
  check(cudaDeviceCanAccessPeer(&possible, from, to), "ask whether two GPUs reach each other");
  if (possible == 0) throw SkippedError("this needs two GPUs that can reach each other's memory");
  const CurrentDevice current(from);
  check(cudaDeviceEnablePeerAccess(to, 0), "let a GPU reach the memory of another");
}

class Exchange : public Workload {
 public:
  explicit Exchange(const Setting& setting)
      : shape_(setting.shape),
        one_stream_(setting.broken()),
        bytes_(tiles_in_exchange * shape_.tile_bytes()) {
    enable_access(0, 1);
    enable_access(1, 0);
    for (int gpu = 0; gpu < peers; ++gpu) {
      const CurrentDevice current(gpu);
      sides_.push_back(std::make_unique<Side>(shape_, gpu));
      check(cudaDeviceSynchronize(), "wait for a device");
    }
  }

  PartTimes calibrate() override {
    PartTimes parts;
    // With one stream, as in the broken variant, the second copy follows the first.
    const double both_us = stream_us(sides_[0]->stream.get(), [this] {
      send(0);
      send(1);
    });
    parts.other_us = one_stream_ ? both_us / peers : both_us;
    wait();
    return parts;
  }

  void run() override {
    for (int i = 0; i < shape_.tiles; ++i) {
      const TileRange range(i);
      PLANTED("peer-copies", send(0));
      PLANTED("peer-copies", send(1));
    }
    wait();
  }

  void verify() override {
    std::vector<unsigned char> found(bytes_);
    for (std::size_t gpu = 0; gpu < peers; ++gpu) {
      check(cudaMemcpy(found.data(), sides_[gpu]->others.data(), bytes_, cudaMemcpyDeviceToHost),
            "copy what a device has received to the host");
      const auto sent = static_cast<unsigned char>(peers - gpu);
      for (const unsigned char byte : found) {
        if (byte == sent) continue;
        throw std::runtime_error("wrong result: device " + std::to_string(gpu) + " received " +
                                 std::to_string(byte) + " and should have received " +
                                 std::to_string(sent));
      }
    }
  }

  void clear() override {
    for (int gpu = 0; gpu < peers; ++gpu) {
      const CurrentDevice current(gpu);
      check(cudaMemset(sides_[static_cast<std::size_t>(gpu)]->others.data(), 0, bytes_),
            "clear what a device has received");
      check(cudaDeviceSynchronize(), "wait for a device");
    }
  }

 private:
  void wait() const {
    for (const auto& side : sides_) {
      check(cudaStreamSynchronize(side->stream.get()), "wait for an exchange");
    }
  }
  void send(int from) {
    const auto other = static_cast<std::size_t>(1 - from);
    const Side& sender = *sides_[static_cast<std::size_t>(from)];
    const cudaStream_t stream = one_stream_ ? sides_[0]->stream.get() : sender.stream.get();
    check(cudaMemcpyPeerAsync(sides_[other]->others.data(), 1 - from, sender.own.data(), from,
                              bytes_, stream),
          "copy from one GPU to another");
  }

  Shape shape_;
  bool one_stream_;
  std::size_t bytes_;
  std::vector<std::unique_ptr<Side>> sides_;
};

// A copy is an op of the GPU that sends. At the beginning or end of the exchange, each GPU is idle
// while the other GPU sends a tile.
Expectation one_direction_at_a_time(const PartTimes& parts, const Shape& shape) {
  const double one = shape.tiles * parts.other_us;
  return {peers * one, one, peers * one - parts.other_us};
}

Expectation both_directions(const PartTimes& parts, const Shape& shape) {
  const double one = shape.tiles * parts.other_us;
  return {one, one};
}

}  // namespace

std::vector<Case> peer_cases() {
  Case result =
      pair_of({.name = "peer-copies",
               .wrong = "Two GPUs exchange arrays, and both directions go through one stream.",
               .fix = "Give each direction a stream, on the GPU that sends."},
              Cause::stream_order, one_direction_at_a_time, both_directions);
  result.needs.gpus = peers;
  result.ignored = {"--kernel-us"};
  result.make = [](const Setting& setting) { return std::make_unique<Exchange>(setting); };
  return {result};
}

}  // namespace lapscope::workloads::streams
