#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// What in a trace speaks for it that work does not need the work before it. Which data an op uses
// no trace tells; what it tells is how the same is done again and again.
//
//   thread 1  hkdhkdhkd............     three tiles: each brings its data in, computes, and takes
//   stream 1  .HHKKDDHHKKDDHHKKDD..     the results out, and was issued before the one ahead ended
//
// A tile is what a thread puts into a stream from one copy in up to the next, if it computes and
// copies out least_result of what came in. What leaves less on the host may keep its results on
// the device, as a training step does. Tiles that copy the same number of times each way and run
// the same kernels are of one shape, and count where there are least_rounds of them.
//
// The trace is read at the first question, by whatever thread, and must be there until then.
class Tiles {
 public:
  explicit Tiles(const Trace& trace) : trace_(trace) {}

  // Whether a copy begins a tile that needs nothing of the one before it in its stream, which is a
  // tile, too: it was issued before that had ended, so that the host had read nothing of it, or
  // tiles of its shape ran side by side somewhere.
  bool begins_alone(const Task& task) const;

  // Whether a copy brings in data that were on the host before the round ahead in its stream had
  // ended, so that they come from nothing that this round computed. Only where it would put them
  // is in doubt. A round is a tile that leaves too little on the host for one.
  //
  //   thread 1  hkhkhk............       the kernels may need each other, as training steps do;
  //   stream 1  .HHKKKHHKKKHHKKK..       H2 and H3 need no kernel
  bool fetches_ahead(const Task& task) const;

  // Whether an op copies results to the host of which the work behind it in its stream needs
  // nothing, outside of tiles and rounds: see copies_left_behind.
  bool leaves_behind(const Task& task) const;

  // Whether both are of tiles of one shape, in streams of their own.
  bool take_turns(const Task& a, const Task& b) const;

 private:
  struct Lane {
    std::uint64_t stream = 0;
  };
  struct OpPlace {
    std::uint32_t lane = no_index;
    std::uint32_t tile = no_index;
  };
  struct Tile {
    std::uint32_t lane = 0;
    std::uint64_t shape = 0;
    std::uint32_t first = 0;  // op
    std::int64_t issued = 0;  // when its first copy in was; latest_time when not known
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t in = 0;  // bytes
    std::int64_t out = 0;
    bool computes = false;
    bool recurs = false;
    bool is_round = false;  // recurs, but is no tile: see fetches_ahead, likewise the last one
    bool is_alone = false;  // see begins_alone
    bool is_ahead = false;
  };
  struct Reader;

  const OpPlace* place_of(const Task& task) const;
  const Tile* tile_that_begins(const Task& task) const;

  const Trace& trace_;
  mutable std::once_flag is_read_;
  mutable std::vector<Lane> lanes_;
  mutable std::vector<Tile> tiles_;
  mutable std::vector<std::vector<OpPlace>> places_;    // by device and op; none before it is read
  mutable std::vector<std::vector<bool>> left_behind_;  // likewise
};

}  // namespace lapscope::analyzer
