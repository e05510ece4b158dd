#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "workloads/harness/handles.h"
#include "workloads/harness/workload_report.h"

namespace lapscope::workloads {

// One tile of a host array, and the stream that processes it.
struct Tile {
  std::size_t index = 0;   // Position in the array and in the order of issue.
  std::size_t offset = 0;  // First element, in elements of the whole array.
  std::size_t stream = 0;  // Index of its stream and of that stream's device buffer.
  std::string label;       // "tile 7": the name of its NVTX range.
};

// Deals `tiles` tiles of `elements_per_tile` elements to `streams` streams in turn.
std::vector<Tile> schedule_tiles(std::size_t tiles, std::size_t streams,
                                 std::size_t elements_per_tile);

// A stream for each engine that tiles go through, and the events that keep the stages of a buffer
// in order. Where each buffer has a stream instead, the copy engines go from one stream to another
// after every copy: some 8 us on an H200, against 3 to 6 us within one stream.
//
// Per tile, in this order: begin, copy in, loaded, kernel, computed, copy out, drained.
class EngineStreams {
 public:
  static constexpr int count = 3;

  EngineStreams(int buffers, StreamKind kind)
      : copy_in_(kind),
        compute_(kind),
        copy_out_(kind),
        marks_(static_cast<std::size_t>(buffers)) {}

  cudaStream_t copy_in() const { return copy_in_.get(); }
  cudaStream_t compute() const { return compute_.get(); }
  cudaStream_t copy_out() const { return copy_out_.get(); }

  // The copy in waits until the last tile has left the buffer. The first time there is nothing to
  // wait for: an event that was never recorded delays nothing.
  void begin(std::size_t buffer) const { marks_[buffer].drained.hold(copy_in()); }
  void loaded(std::size_t buffer) { marks_[buffer].loaded.join(copy_in(), compute()); }
  void computed(std::size_t buffer) { marks_[buffer].computed.join(compute(), copy_out()); }
  void drained(std::size_t buffer) { marks_[buffer].drained.record(copy_out()); }

  // What follows in `stream` waits until the tile has left the buffer: after `drained`.
  void hold_until_drained(std::size_t buffer, cudaStream_t stream) const {
    marks_[buffer].drained.hold(stream);
  }

 private:
  struct Marks {
    OrderEvent loaded;
    OrderEvent computed;
    OrderEvent drained;
  };

  Stream copy_in_;
  Stream compute_;
  Stream copy_out_;
  std::deque<Marks> marks_;  // Per buffer.
};

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
  std::vector<double> bounds_us_;   // One for each run.
  std::vector<double> periods_us_;  //
  std::vector<double> ratios_;      //
};

}  // namespace lapscope::workloads
