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

// A tile of a host array, and the stream that processes the tile.
struct Tile {
  std::size_t index = 0;   // Position in the array and in the order of issue.
  std::size_t offset = 0;  // First element, in elements of the whole array.
  std::size_t stream = 0;  // Index of its stream and of that stream's device buffer.
  std::string label;       // "tile 7": the name of its NVTX range.
};

// Makes `tiles` tiles of `elements_per_tile` elements. Assigns them to `streams` streams in turn.
std::vector<Tile> schedule_tiles(std::size_t tiles, std::size_t streams,
                                 std::size_t elements_per_tile);

// Three streams, one for each engine: copy in, compute, copy out. Events order the stages of each
// buffer. With one stream per buffer, the copy engines would switch streams after every copy. A
// switch takes about 8 us on an H200. Within a stream, the next copy follows after 3 to 6 us.
//
// The steps of a tile, in this order: begin, copy in, loaded, kernel, computed, copy out, drained.
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

  // The copy to the device waits until the previous tile has left the buffer. For the first tile of
  // a buffer, the event has not been recorded, so the wait has no effect.
  void begin(std::size_t buffer) const { marks_[buffer].drained.hold(copy_in()); }
  void loaded(std::size_t buffer) { marks_[buffer].loaded.join(copy_in(), compute()); }
  void computed(std::size_t buffer) { marks_[buffer].computed.join(compute(), copy_out()); }
  void drained(std::size_t buffer) { marks_[buffer].drained.record(copy_out()); }

  // Later work of `stream` waits until the tile has left the buffer. Call drained() first.
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

// Returns how long the busiest engine works for a tile, in us. No pipeline is faster than that,
// whatever its number of buffers. The copy times must be measured while the other engines run.
double engine_bound_us(double copy_in_us, double kernel_us, double copy_out_us);

// Returns the mean time from the end of a tile to the end of the next tile, in us. The first
// `buffers` tiles are left out, because they fill the pipeline. The last `buffers` tiles are left
// out, because they use only one direction of the link. Engines may take later tiles first, so
// `ends_us` may be in any order. Returns nothing if fewer than three periods remain.
std::optional<double> steady_period_us(std::vector<double> ends_us, std::size_t buffers);

// Measures with events when the tiles of a pipeline end. One object measures several runs.
class TilePace {
 public:
  TilePace(std::size_t tiles, std::size_t buffers) : marks_(tiles), buffers_(buffers) {}

  // Records the end of `tile`. Call this after all work of the tile was issued to `stream`.
  void mark(std::size_t tile, cudaStream_t stream) { marks_[tile].record(stream); }

  // Call this after a run that marked every tile, when the device is idle. Measure
  // `engine_bound_us` close to the run. On a shared host, the rate of the link changes over time.
  void note_run(double engine_bound_us);

  // Reports three medians over the runs: the bound, the period, and the ratio of period to bound.
  // Reports nothing if there were too few tiles.
  void report(Report& report) const;

 private:
  std::vector<Event> marks_;
  std::size_t buffers_;
  std::vector<double> bounds_us_;   // One for each run.
  std::vector<double> periods_us_;  // One for each run.
  std::vector<double> ratios_;      // One for each run.
};

}  // namespace lapscope::workloads
