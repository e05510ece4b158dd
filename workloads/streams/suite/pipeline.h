#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "workloads/harness/buffers.h"
#include "workloads/harness/engine_streams.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/tile_pace.h"
#include "workloads/harness/tile_schedule.h"
#include "workloads/harness/worker_pool.h"
#include "workloads/streams/suite/case.h"
#include "workloads/streams/suite/recipe.h"
#include "workloads/streams/suite/tile_kernel.h"
#include "workloads/streams/suite/tile_store.h"

namespace lapscope::workloads::streams {

// The program that most cases are: tiles are copied in, computed on and copied out, in the streams
// and with the additions that a recipe asks for.
class Pipeline : public Workload {
 public:
  Pipeline(const Setting& setting, Recipe recipe);

  PartTimes calibrate() override;
  void run() override;
  void verify() override;
  void clear() override;
  void arm() override;
  void report(Report& report) const override;

 private:
  void issue(const Tile& tile);
  void issue_in_turns();
  void warm_threads();
  void copy_in(std::size_t tile, const TileJob& job, cudaStream_t stream) const;
  void copy_out(std::size_t tile, const TileJob& job, cudaStream_t stream) const;
  void measure_engines(PartTimes& parts);
  void measure_hand_over();
  void measure_step(PartTimes& parts);
  TileJob job_of(std::size_t tile) const;

  Shape shape_;
  Recipe recipe_;
  std::vector<Tile> schedule_;
  TileKernel kernel_;
  TileStore store_;
  std::vector<DeviceBuffer<std::uint32_t>> buffers_;
  std::vector<Stream> streams_;           // Of each buffer,
  std::optional<EngineStreams> engines_;  // or of each engine.
  std::optional<TilePace> pace_;
  std::unique_ptr<WorkerPool> threads_;
  std::string range_;
  PartTimes parts_;
};

}  // namespace lapscope::workloads::streams
