#include <algorithm>
#include <unordered_map>
#include <utility>

#include "analyzer/model/trace.h"
#include "collector/schema/tables.h"
#include "readers/tables/read_chains.h"
#include "readers/tables/read_host.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::GraphNodeRow;

std::vector<CallStacks::Capture> captures_of(const std::vector<StackOfCall>& calls) {
  std::vector<CallStacks::Capture> captures;
  for (const StackOfCall& one : calls) {
    if (one.ns > 0) captures.push_back({one.call, one.ns});
  }
  std::sort(captures.begin(), captures.end(),
            [](const auto& a, const auto& b) { return a.call < b.call; });
  return captures;
}

// Returns the call that made each node: a captured call, or a call such as cudaGraphAddKernelNode.
// For a node of an executable graph, this is the call that made its original node.
std::vector<CallStacks::NodeMaker> makers_of_nodes(schema::Database& database, const Calls& calls) {
  std::unordered_map<std::int64_t, GraphNodeRow> made;
  using Columns = schema::Selection<GraphNodeRow, &GraphNodeRow::start, &GraphNodeRow::globalTid,
                                    &GraphNodeRow::graphNodeId, &GraphNodeRow::originalGraphNodeId>;
  for_each_row<Columns>(
      database, [&made](const GraphNodeRow& row) { made.insert_or_assign(row.graphNodeId, row); });
  std::vector<CallStacks::NodeMaker> makers;
  for (const auto& [node, row] : made) {
    const GraphNodeRow* first = &row;
    constexpr int most_copies = 16;  // a damaged trace may have a cycle of copies
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

void read_stacks(schema::Database& database, const std::vector<StackOfCall>& calls,
                 ReadSamples samples, Trace& trace) {
  std::vector<std::int64_t> of_calls;
  for (const StackOfCall& one : calls) of_calls.push_back(one.chain);
  std::vector<std::int64_t> of_samples = samples.chains;
  for (auto* used : {&of_calls, &of_samples}) std::sort(used->begin(), used->end());
  const auto has = [](const std::vector<std::int64_t>& used, std::int64_t id) {
    return std::binary_search(used.begin(), used.end(), id);
  };
  trace.code_files = code_files_of(database);
  const bool has_samples = !of_samples.empty() && of_samples.back() != ReadSamples::no_chain;
  const StoredChains chains(database, trace.names, !calls.empty() || has_samples);
  if (!calls.empty()) {
    // Leaves out chains that only samples have. CallStacks divides the calls at one line by their
    // callers. Callers that only samples have must not change this division.
    const std::vector<std::int64_t> ids = chains.add_to(
        trace.stacks, [&](std::int64_t id) { return has(of_calls, id) || !has(of_samples, id); });
    std::vector<CallStacks::Taken> taken;
    for (const StackOfCall& one : calls) {
      const std::uint32_t chain = chain_with(one.chain, ids);
      if (chain != CallStacks::none) taken.push_back({one.call, chain});
    }
    trace.stacks.settle(trace, taken);
    trace.stacks.set_captures(captures_of(calls));
    trace.stacks.set_makers(makers_of_nodes(database, trace.calls));
  }
  trace.host_samples = std::move(samples.samples);
  HostSamples& host = trace.host_samples;
  const std::vector<std::int64_t> ids =
      chains.add_to(host.stacks, [&](std::int64_t id) { return has(of_samples, id); });
  if (has_samples) host.stacks.settle(trace, {});
  host.chain.reserve(host.size());
  for (const std::int64_t id : samples.chains) host.chain.push_back(chain_with(id, ids));
  trace.health.insert(trace.health.end(), samples.health.begin(), samples.health.end());
}

}  // namespace lapscope::analyzer
