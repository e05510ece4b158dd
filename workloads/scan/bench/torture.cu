#include <algorithm>
#include <chrono>
#include <string>

#include "workloads/harness/cuda_check.h"
#include "workloads/harness/device_timer.cuh"
#include "workloads/harness/handles.h"
#include "workloads/harness/watchdog.h"
#include "workloads/scan/bench/arrays.h"
#include "workloads/scan/bench/check.h"
#include "workloads/scan/bench/torture.h"

namespace lapscope::workloads::scan {
namespace {

// More tiles than fit on any device at once, so that blocks which stay take several turns.
constexpr std::uint64_t max_n = 1 << 23;
constexpr int scans_per_check = 50;
constexpr unsigned occupier_threads = 1024;
constexpr std::uint64_t occupier_ns = 2'000'000;
constexpr int free_multiprocessors = 4;

// Takes whole multiprocessors, by their shared memory: one block each, and no room for another.
int largest_shared_memory() {
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0),
        "read the shared memory of a block");
  return bytes;
}

}  // namespace

// Outside the unnamed namespace to keep its name short in a trace.
__global__ void occupy(std::uint64_t ns) {
  const std::uint64_t start = device_timer_ns();
  while (device_timer_ns() - start < ns) {
  }
}

namespace {

class Occupier {
 public:
  explicit Occupier(const DeviceInfo& device)
      : blocks_(static_cast<unsigned>(std::max(1, device.multiprocessors - free_multiprocessors))),
        shared_bytes_(largest_shared_memory()),
        stream_(StreamKind::non_blocking) {
    check(cudaFuncSetAttribute(occupy, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes_),
          "reserve all shared memory");
  }

  // Starts again if the last one has finished. Returns whether it did.
  bool keep_busy() {
    if (cudaStreamQuery(stream_.get()) == cudaErrorNotReady) {
      // The answer counts as the last error, and the next launch would be blamed for it.
      static_cast<void>(cudaGetLastError());
      return false;
    }
    occupy<<<blocks_, occupier_threads, static_cast<std::size_t>(shared_bytes_), stream_.get()>>>(
        occupier_ns);
    check(cudaGetLastError(), "launch the kernel occupy");
    return true;
  }

 private:
  unsigned blocks_;
  int shared_bytes_;
  Stream stream_;
};

}  // namespace

TortureResult torture(const Rung& rung, Combination combination, int repeats, int patience_s,
                      const DeviceInfo& device) {
  const DeviceArrays arrays(combination, max_n, Placement::aligned);
  const Stream stream(StreamKind::non_blocking);
  Workspace workspace;
  DeviceCheck results;
  Occupier occupier(device);
  Watchdog watchdog(std::chrono::seconds(patience_s),
                    "scan_ladder: " + std::string(rung.name) + " did not finish");
  fill_device(combination, Fill::random, arrays.in(), max_n, stream.get());

  TortureResult result;
  for (; result.scans < repeats; ++result.scans) {
    if (result.scans % scans_per_check == 0) {
      if (results.first_wrong(stream.get())) ++result.wrong;
      watchdog.kick();
    }
    result.occupations += occupier.keep_busy() ? 1 : 0;
    // From one element to all, and every residue of a tile.
    const auto i = static_cast<std::uint64_t>(result.scans);
    const std::uint64_t n = 1 + mix(i) % (max_n >> (i % 8));
    const Kind kind = i % 3 == 0 ? Kind::exclusive : Kind::inclusive;
    arrays.wipe(stream.get());
    rung.scan({.combination = combination,
               .kind = kind,
               .in = arrays.in(),
               .out = arrays.out(),
               .n = n,
               .workspace = &workspace,
               .stream = stream.get()});
    results.add({.combination = combination, .kind = kind}, arrays.out(), n, stream.get());
  }
  if (results.first_wrong(stream.get())) ++result.wrong;
  check(cudaDeviceSynchronize(), "wait for the torture to end");
  return result;
}

}  // namespace lapscope::workloads::scan
