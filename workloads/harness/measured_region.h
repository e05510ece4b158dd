#pragma once

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include <string>

namespace lapscope::workloads {

// An NVTX range of the calling thread, in the default domain.
class NvtxRange {
 public:
  explicit NvtxRange(const char* name) { nvtxRangePushA(name); }
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;
  ~NvtxRange() { nvtxRangePop(); }
};

// The NVTX range of a tile. Cases without tiles use it for a kernel, a round or a layer.
class TileRange : public NvtxRange {
 public:
  template <typename Index>
  explicit TileRange(Index index) : NvtxRange(("tile " + std::to_string(index)).c_str()) {}
};

// Marks the measured part of a program for profilers: calls cudaProfilerStart and cudaProfilerStop,
// and opens an NVTX range. Destroy the object only when the device is idle.
class MeasuredRegion {
 public:
  explicit MeasuredRegion(const char* name) : profiled_(), range_(name) {}

  // Loads a tool that listens to NVTX, if there is one. Call this during set-up, because the first
  // NVTX call is slow.
  static void prepare() { nvtxInitialize(nullptr); }

 private:
  // Ignores the results of the calls, because the region is also valid without a profiler.
  struct Profiled {
    Profiled() { cudaProfilerStart(); }
    Profiled(const Profiled&) = delete;
    Profiled& operator=(const Profiled&) = delete;
    ~Profiled() { cudaProfilerStop(); }
  };

  Profiled profiled_;
  NvtxRange range_;
};

}  // namespace lapscope::workloads
