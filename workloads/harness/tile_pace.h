#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "workloads/harness/handles.h"
#include "workloads/harness/report.h"

namespace lapscope::workloads {

// The time from one tile to the next that no number of buffers lowers: the busiest engine's. The
// copies take this long while the others run; all in us.
double engine_bound_us(double copy_in_us, double kernel_us, double copy_out_us);

// The time from the end of one tile to the end of the next in the middle of a pipeline, in us, of
// tiles that ended at `ends_us`, in any order: the engines of a GPU may take later tiles first. The
// first `buffers` tiles fill the pipeline. While the last ones leave it nothing comes in, and the
// link carries one direction faster than both. Nothing where no three periods are between them.
std::optional<double> steady_period_us(std::vector<double> ends_us, std::size_t buffers);

// Times the ends of the tiles of a pipeline by events, run after run.
class TilePace {
 public:
  TilePace(std::size_t tiles, std::size_t buffers) : marks_(tiles), buffers_(buffers) {}

  // The tile ends with what `stream` holds now.
  void mark(std::size_t tile, cudaStream_t stream) { marks_[tile].record(stream); }

  // After a run in which every tile was marked, when the device is idle. `engine_bound_us` was
  // measured beside it: on a shared host the link's rate differs from one moment to the next.
  void note_run(double engine_bound_us);

  // The bound, what the runs reached, and the ratio of each run to its bound: medians. Adds nothing
  // where tiles were too few.
  void report(Report& report) const;

 private:
  std::vector<Event> marks_;
  std::size_t buffers_;
  std::vector<double> bounds_us_;   // Of each run.
  std::vector<double> periods_us_;  //
  std::vector<double> ratios_;      //
};

}  // namespace lapscope::workloads
