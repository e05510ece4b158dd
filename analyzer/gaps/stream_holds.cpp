#include "analyzer/gaps/stream_holds.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace lapscope::analyzer {
namespace {

// Instants in order, passed one after the other by the ops of a stream.
class Cursor {
 public:
  explicit Cursor(const std::vector<std::int64_t>* instants) : instants_(instants) {}

  // Whether an instant lies before `time` that no earlier op of the stream has passed.
  bool pass(std::int64_t time) {
    const std::size_t before = next_;
    while (next_ < instants_->size() && (*instants_)[next_] < time) ++next_;
    return next_ > before;
  }

 private:
  const std::vector<std::int64_t>* instants_;
  std::size_t next_ = 0;
};

// Starts of the calls that enqueue a host function, by process.
std::map<std::uint32_t, std::vector<std::int64_t>> host_functions(const Calls& calls) {
  std::map<std::uint32_t, std::vector<std::int64_t>> starts;
  for (const Calls::Thread& thread : calls.threads) {
    for (std::uint32_t call = thread.first; call < thread.end; ++call) {
      if (calls.kind[call] != CallKind::host_function) continue;
      starts[pid_of(thread.global_tid)].push_back(calls.start[call]);
    }
  }
  for (auto& [pid, of_process] : starts) std::sort(of_process.begin(), of_process.end());
  return starts;
}

// Starts of the waits of each of the device's streams.
std::vector<std::vector<std::int64_t>> waits_by_stream(const Trace& trace, const Device& device) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> index;
  for (std::size_t i = 0; i < device.streams.size(); ++i) {
    index[{device.streams[i].pid, device.streams[i].id}] = i;
  }
  std::vector<std::vector<std::int64_t>> waits(device.streams.size());
  for (const Synchronization& wait : trace.synchronizations) {
    if (wait.kind != SyncKind::stream_wait_event) continue;
    const auto stream = index.find({wait.pid, wait.stream});
    if (stream != index.end()) waits[stream->second].push_back(trace.calls.start[wait.call]);
  }
  return waits;
}

// Nodes that host functions of their graph come right before, with nothing between but nodes that
// do no work.
class FunctionsInGraphs {
 public:
  explicit FunctionsInGraphs(const Trace& trace) : topology_(trace.topology) {
    if (topology_.host_functions.empty()) return;
    for (const Device& device : trace.devices) {
      for (const OpNode& node : device.ops.nodes) ops_.insert(node.node);
    }
  }

  // As the graph was at that time.
  bool come_before(std::uint64_t node, std::int64_t when) const {
    if (ops_.empty()) return false;
    std::unordered_set<std::uint64_t> passed;
    std::vector<std::uint64_t> open = dependencies(topology_, node, when);
    while (!open.empty()) {
      const std::uint64_t on = open.back();
      open.pop_back();
      if (ops_.contains(on) || !passed.insert(on).second) continue;
      if (is_function(on)) return true;
      const auto further = dependencies(topology_, on, when);
      open.insert(open.end(), further.begin(), further.end());
    }
    return false;
  }

 private:
  bool is_function(std::uint64_t node) const {
    const auto& all = topology_.host_functions;
    return std::binary_search(all.begin(), all.end(), node);
  }

  const Topology& topology_;
  std::unordered_set<std::uint64_t> ops_;
};

}  // namespace

StreamHolds::StreamHolds(const Trace& trace, const Device& device)
    : after_wait_(device.ops.size()), after_host_function_(device.ops.size()) {
  const auto waits = waits_by_stream(trace, device);
  auto functions = host_functions(trace.calls);
  std::vector<Cursor> wait_cursors;
  for (const auto& instants : waits) wait_cursors.emplace_back(&instants);
  std::vector<Cursor> function_cursors;
  for (const Stream& stream : device.streams) {
    function_cursors.emplace_back(&functions[stream.pid]);
  }
  // A stream runs its ops in the order of their issue, so that their starts are in that order, too.
  for (std::uint32_t op = 0; op < device.ops.size(); ++op) {
    const std::uint32_t issue = device.ops.issue[op];
    if (issue == no_index) continue;
    const std::int64_t issued = trace.calls.start[issue];
    const std::uint32_t stream = device.ops.stream[op];
    after_wait_[op] = wait_cursors[stream].pass(issued);
    after_host_function_[op] = function_cursors[stream].pass(issued);
  }
  const FunctionsInGraphs in_graphs(trace);
  for (const OpNode& node : device.ops.nodes) {
    const std::uint32_t issue = device.ops.issue[node.op];
    const std::int64_t when = issue == no_index ? latest_time : trace.calls.start[issue];
    if (in_graphs.come_before(node.node, when)) after_host_function_[node.op] = true;
  }
}

}  // namespace lapscope::analyzer
