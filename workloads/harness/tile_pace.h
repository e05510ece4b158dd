#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "workloads/harness/handles.h"
#include "workloads/harness/report.h"

namespace lapscope::workloads {

// The time from one tile to the next that no number of buffers lowers: the busiest engine's. The
// copies take this long while the others run; all in us.
double engine_bound_us(double copy_in_us, double kernel_us, double copy_out_us);

// The time from the end of one tile to the end of the next in the middle of a pipeline, in us, of
// tiles that ended at `ends_us`, in their order. Nothing for fewer than 8: they have no middle.
std::optional<double> steady_period_us(std::span<const double> ends_us);

// Times the ends of the tiles of a pipeline by events, run after run.
class TilePace {
 public:
  explicit TilePace(std::size_t tiles) : marks_(tiles) {}

  // The tile ends with what `stream` holds now.
  void mark(std::size_t tile, cudaStream_t stream) { marks_[tile].record(stream); }

  // After a run in which every tile was marked, when the device is idle.
  void note_run();

  // The bound, and what the runs reached, their median. Adds nothing where tiles were too few.
  void report(Report& report, double engine_bound_us) const;

 private:
  std::vector<Event> marks_;
  std::vector<double> periods_us_;  // Of each run.
};

}  // namespace lapscope::workloads
