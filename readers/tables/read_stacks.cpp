#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "analyzer/model/trace.h"
#include "collector/schema/tables.h"
#include "readers/tables/read_host.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::CallchainRow;
using schema::GraphNodeRow;

struct StoredFrame {
  std::int64_t chain = 0;
  std::int64_t depth = 0;
  Frame frame;

  auto key() const { return std::pair(chain, depth); }
};

std::vector<StoredFrame> frames_in(schema::Database& database, const Names& names) {
  using Columns = schema::TolerantSelection<CallchainRow, &CallchainRow::id,
                                            &CallchainRow::stackDepth, &CallchainRow::symbol,
                                            &CallchainRow::module, &CallchainRow::sourceFile,
                                            &CallchainRow::sourceLine, &CallchainRow::isInlined>;
  constexpr std::string_view nameless = "[unknown]";
  std::vector<StoredFrame> frames;
  const auto text = [&names](std::optional<std::int64_t> id) {
    return id ? names.index_of(*id) : 0;
  };
  for_each_row<Columns>(database, [&](const CallchainRow& row) {
    if (row.id == schema::no_integer) return;
    Frame frame{text(row.symbol), text(row.module), text(row.sourceFile)};
    if (names.text(frame.function) == nameless) frame.function = 0;
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const std::int64_t line = row.sourceLine.value_or(0);
    if (0 < line && line <= most) frame.line = static_cast<std::uint32_t>(line);
    frame.is_inlined = row.isInlined.value_or(0) == 1;
    frames.push_back({row.id, row.stackDepth, frame});
  });
  std::stable_sort(frames.begin(), frames.end(),
                   [](const StoredFrame& a, const StoredFrame& b) { return a.key() < b.key(); });
  return frames;
}

std::vector<CallStacks::Capture> captures_of(const std::vector<StackOfCall>& calls) {
  std::vector<CallStacks::Capture> captures;
  for (const StackOfCall& one : calls) {
    if (one.ns > 0) captures.push_back({one.call, one.ns});
  }
  std::sort(captures.begin(), captures.end(),
            [](const auto& a, const auto& b) { return a.call < b.call; });
  return captures;
}

// A node of an executable graph is a copy of one that a captured call, or one such as
// cudaGraphAddKernelNode, made before.
std::vector<CallStacks::NodeMaker> makers_of_nodes(schema::Database& database, const Calls& calls) {
  std::unordered_map<std::int64_t, GraphNodeRow> made;
  using Columns = schema::Selection<GraphNodeRow, &GraphNodeRow::start, &GraphNodeRow::globalTid,
                                    &GraphNodeRow::graphNodeId, &GraphNodeRow::originalGraphNodeId>;
  for_each_row<Columns>(
      database, [&made](const GraphNodeRow& row) { made.insert_or_assign(row.graphNodeId, row); });
  std::vector<CallStacks::NodeMaker> makers;
  for (const auto& [node, row] : made) {
    const GraphNodeRow* first = &row;
    constexpr int most_copies = 16;  // of copies: a trace may hold a circle of them
    for (int i = 0; first->originalGraphNodeId && i < most_copies; ++i) {
      const auto found = made.find(*first->originalGraphNodeId);
      if (found == made.end()) break;
      first = &found->second;
    }
    if (first->originalGraphNodeId) continue;
    const std::uint32_t call = calls.call_at(first->globalTid, first->start);
    if (call != no_index) makers.push_back({static_cast<std::uint64_t>(node), call});
  }
  return makers;
}

}  // namespace

CallStacks read_stacks(schema::Database& database, const Trace& trace,
                       const std::vector<StackOfCall>& calls) {
  CallStacks stacks;
  if (calls.empty()) return stacks;
  const std::vector<StoredFrame> frames = frames_in(database, trace.names);
  std::vector<std::int64_t> ids;  // by index of the chain, rising
  std::vector<Frame> chain;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    chain.push_back(frames[i].frame);
    if (i + 1 < frames.size() && frames[i + 1].chain == frames[i].chain) continue;
    ids.push_back(frames[i].chain);
    stacks.add_chain(chain);
    chain.clear();
  }
  std::vector<CallStacks::Taken> taken;
  for (const StackOfCall& one : calls) {
    const auto found = std::lower_bound(ids.begin(), ids.end(), one.chain);
    if (found == ids.end() || *found != one.chain) continue;
    taken.push_back({one.call, static_cast<std::uint32_t>(found - ids.begin())});
  }
  stacks.settle(trace, taken);
  stacks.set_captures(captures_of(calls));
  stacks.set_makers(makers_of_nodes(database, trace.calls));
  return stacks;
}

}  // namespace lapscope::analyzer
