#include <algorithm>
#include <cmath>
#include <map>

#include "analyzer/fixes/fix.h"
#include "analyzer/graph/sharing.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Collects the changes of this fix: which streams get a higher priority, and how much room on the
// multiprocessors the kernels of each shape leave to others. A shape is an index into Graph::uses.
class Shapes {
 public:
  explicit Shapes(const Graph& graph) : graph_(graph), edits_(graph), leaves_(graph.uses.size()) {}

  // Notes that a kernel found no room because of the kernel `holder`. `waits` is the kernel without
  // room. If `started` is set, this kernel started with a part of the room that it needs.
  void settle(std::uint32_t waits, std::uint32_t holder, bool started) {
    if (graph_.tasks[holder].geometry == no_index) return;
    // After another fix, kernels of one stream may run at the same time.
    const bool is_same_stream = graph_.tasks[holder].stream == graph_.tasks[waits].stream;
    if (!started && !is_same_stream && gains_nothing(waits, holder)) {
      edits_.is_in_doubt |= doubt_of(graph_, graph_.tasks[holder]) > 0;
      return;
    }
    if (graph_.uses[graph_.tasks[holder].geometry].fills()) {
      if (!started && !is_same_stream) ahead_.push_back(graph_.tasks[waits].stream);
    } else if (communicates(waits) != communicates(holder)) {
      if (communicates(holder)) std::swap(waits, holder);
      leave_to_communication(graph_.tasks[holder].geometry, graph_.tasks[waits].geometry);
    } else if (!started && !is_same_stream) {
      // A kernel that needs all the room that it occupies takes longer with less room.
      if (demand_of(graph_, graph_.tasks[holder]) >= 1) {
        leave_to_communication(graph_.tasks[holder].geometry, graph_.tasks[waits].geometry);
      } else {
        leaves_[graph_.tasks[holder].geometry] = true;
      }
    }
  }

  Edits edits() && {
    std::int64_t highest = 0;
    for (const GraphStream& stream : graph_.streams) highest = std::min(highest, stream.priority);
    for (const std::uint32_t stream : ahead_) edits_.streams.edit(stream).priority = highest - 1;
    for (std::uint32_t t = 0; t < graph_.tasks.size(); ++t) {
      const std::uint32_t geometry = graph_.tasks[t].geometry;
      if (geometry == no_index) continue;
      const auto smaller = smaller_.find(geometry);
      if (!leaves_[geometry] && smaller == smaller_.end()) continue;
      Task& task = edits_.tasks.edit(t);
      if (leaves_[geometry]) {
        task.geometry = no_index;
      } else {
        const double longer = static_cast<double>(graph_.uses[task.geometry].covers) /
                              static_cast<double>(smaller->second.use.covers);
        Ns& work = edits_.lengths.edit(t).work;
        work = std::llround(static_cast<double>(work) * longer);
        task.geometry = smaller->second.shape;
        task.kernel_class = class_taking(longer, task.kernel_class);
      }
    }
    edits_.more_uses.resize(smaller_.size());
    for (const auto& [shape, smaller] : smaller_) {
      edits_.more_uses[smaller.shape - graph_.uses.size()] = smaller.use;
    }
    return std::move(edits_);
  }

 private:
  bool communicates(std::uint32_t t) const { return graph_.tasks[t].communicates; }

  // Whether two tasks gain nothing if they run side by side: both run the same kernel, and one run
  // of this kernel can use the whole device. An example is a large matrix product.
  bool gains_nothing(std::uint32_t waits, std::uint32_t holder) const {
    const Task& task = graph_.tasks[holder];
    return task.kernel_class != no_index && task.kernel_class == graph_.tasks[waits].kernel_class &&
           demand_of(graph_, task) >= 1;
  }

  // Makes kernels of `shape` leave room for a kernel C of the shape `communication`. C is usually a
  // communication kernel, and needs N multiprocessors. The kernels of `shape` then leave N
  // multiprocessors free. If they already left N free in the recording, C found no room on these.
  // In this case, the kernels leave N more multiprocessors free than in the recording.
  void leave_to_communication(std::uint32_t shape, std::uint32_t communication) {
    if (communication == no_index) return;
    const float needed = graph_.uses[communication].covers;
    SmUse use = graph_.uses[shape];
    const bool leaves_it = use.covers <= 1 - needed;
    use.covers = std::max(static_cast<float>(assumed::hardly_any),
                          leaves_it ? use.covers - needed : 1 - needed);
    const auto next = static_cast<std::uint32_t>(graph_.uses.size() + smaller_.size());
    const auto [known, is_new] = smaller_.try_emplace(shape, Smaller{next, use});
    if (!is_new && use.covers < known->second.use.covers) known->second.use = use;
  }

  // Returns the class of kernels that do the same work as kernels of `kernel_class`, but take
  // `longer` times as long. The demand of these kernels is smaller by the factor `longer`.
  std::uint32_t class_taking(double longer, std::uint32_t kernel_class) {
    if (kernel_class == no_index) return no_index;
    const auto next =
        static_cast<std::uint32_t>(graph_.demands.size() + edits_.more_demands.size());
    const auto [known, is_new] = slower_.try_emplace({kernel_class, longer}, next);
    if (is_new) {
      const Demand demand = graph_.demands[kernel_class];
      edits_.more_demands.push_back({demand.least / longer, demand.most / longer});
    }
    return known->second;
  }

  struct Smaller {
    std::uint32_t shape = 0;
    SmUse use;
  };

  const Graph& graph_;
  Edits edits_;
  std::vector<bool> leaves_;  // by shape
  std::map<std::uint32_t, Smaller> smaller_;
  std::map<std::pair<std::uint32_t, double>, std::uint32_t> slower_;  // by class and factor: class
  std::vector<std::uint32_t> ahead_;  // streams that need the highest priority
};

// Changes the kernels that left no room for a waiting kernel. The change depends on the kernel:
// - A kernel of many waves stays as it is. The stream of the waiting kernel gets a higher priority.
// - A kernel of one wave leaves room. If it needs less than the whole device, its duration stays
//   the same. Otherwise, it takes longer: with half of the multiprocessors, twice as long.
// - A kernel of one wave beside communication leaves the room that the communication needs. Its
//   duration always grows, because most kernels have work for all the room that they occupy.
//
// Does not change anything for a pair of kernels that gain nothing side by side (gains_nothing()).
Edits leave_room_edits(const Trace&, const Graph& graph, double) {
  Shapes shapes(graph);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Binding& binding = graph.bindings[t];
    if (binding.cause != Cause::sm_saturated || binding.from == no_index) continue;
    shapes.settle(t, binding.from, false);
  }
  for (const Crowding& pair : graph.crowded) shapes.settle(pair.kernel, pair.holder, true);
  return std::move(shapes).edits();
}

}  // namespace

const Fix leave_room{Cause::sm_saturated, false, true, leave_room_edits};

}  // namespace lapscope::analyzer
