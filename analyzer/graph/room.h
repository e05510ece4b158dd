#pragma once

#include <array>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// The multiprocessors of one device as recorded: told of its kernels in the order of their starts,
// it says whose end made room for each, and notes in the graph what kernels do to each other:
// Graph::crowded and kept_out, Task::lets_in and is_room_seen, Task::lasted of those that had to
// take turns with themselves, and SmUse::spare of shapes whose last wave was seen to leave nothing
// and of which no kernel let another in.
class Room {
 public:
  explicit Room(Graph& graph) : graph_(&graph) {}

  // The kernel whose end made room for this one, or, when it started while another one still takes
  // all, that one. no_index when there was room anyhow. `release`: when everything else had let it
  // go, or never.
  std::uint32_t made_by(std::uint32_t kernel, std::int64_t release);

  // All kernels have been told.
  void finish();

 private:
  struct Active {
    std::uint32_t kernel = no_index;
    bool is_partial = false;  // it started with some of its blocks
    // Shapes that ran when it started, no_index where there was none; of more than these the first.
    std::array<std::uint32_t, 4> beside{};
  };
  struct Partial {
    std::uint32_t kernel = no_index;
    std::vector<std::uint32_t> holders;  // that held the rest of its room, and still do
  };

  const Task& task(std::uint32_t kernel) const { return graph_->tasks[kernel]; }
  std::vector<const SmUse*> uses_of(const std::vector<Active>& kernels) const;
  std::uint32_t squeezed_in(std::uint32_t kernel, bool waited);
  void note_last_waves(std::int64_t release);
  std::uint32_t kept_out_by(std::uint32_t kernel, std::int64_t release);
  std::array<std::uint32_t, 4> shapes_running() const;
  void note_who_runs_beside(std::uint32_t kernel);
  void share(std::uint32_t kernel, std::vector<std::uint32_t> holders);
  void leave(std::int64_t now);
  void complete(std::uint32_t ended);
  void set_lasted(std::uint32_t kernel, std::int64_t others_ended);

  Graph* graph_;
  std::set<std::uint32_t> opened_;  // shapes whose kernels were seen to let others in
  std::set<std::uint32_t> closed_;  // likewise not to, though another one was there in time
  std::vector<Active> active_;
  std::vector<Partial> partial_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> together_;  // likewise, though it had started
  std::set<std::pair<std::uint32_t, std::uint32_t>> crowded_;  // shapes: the kernel's, the holder's
  std::uint32_t last_left_ = no_index;
  std::vector<Active> last_running_;  // just before it ended
};

}  // namespace lapscope::analyzer
