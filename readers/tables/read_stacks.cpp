#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/model/harmless_text.h"
#include "analyzer/model/names.h"
#include "analyzer/model/stacks.h"
#include "analyzer/model/trace.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/sqlite.h"
#include "collector/schema/tables.h"
#include "readers/tables/read_host.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::CallchainRow;
using schema::GraphNodeRow;

// The rows of CUDA_CALLCHAINS, ordered by chain. Empty if `is_asked` is false.
class StoredChains {
 public:
  StoredChains(schema::Database& database, const Names& names, bool is_asked);

  // Adds the wanted chains to `stacks`. Returns their ids in ascending order. An id in the result
  // has the same index as its chain in `stacks`.
  std::vector<std::int64_t> add_to(CallStacks& stacks,
                                   const std::function<bool(std::int64_t id)>& is_wanted) const;

 private:
  struct StoredFrame {
    std::int64_t chain = 0;
    std::int64_t depth = 0;
    Frame frame;
  };
  std::vector<StoredFrame> frames_;  // by chain and depth
};

StoredChains::StoredChains(schema::Database& database, const Names& names, bool is_asked) {
  if (!is_asked) return;
  using Columns = schema::TolerantSelection<COLUMNS(CallchainRow, id, stackDepth, symbol, module,
                                                    sourceFile, sourceLine, isInlined)>;
  constexpr std::string_view nameless = "[unknown]";
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
    frames_.push_back({row.id, row.stackDepth, frame});
  });
  std::stable_sort(frames_.begin(), frames_.end(), [](const StoredFrame& a, const StoredFrame& b) {
    return std::tie(a.chain, a.depth) < std::tie(b.chain, b.depth);
  });
}

std::vector<std::int64_t> StoredChains::add_to(
    CallStacks& stacks, const std::function<bool(std::int64_t)>& is_wanted) const {
  std::vector<std::int64_t> ids;
  std::vector<Frame> chain;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    chain.push_back(frames_[i].frame);
    if (i + 1 < frames_.size() && frames_[i + 1].chain == frames_[i].chain) continue;
    if (is_wanted(frames_[i].chain)) {
      ids.push_back(frames_[i].chain);
      stacks.add_chain(chain);
    }
    chain.clear();
  }
  return ids;
}

// Returns the files of LAPSCOPE_MODULES by path. Several mapped parts of a file are one file.
std::map<std::string, CodeFile, std::less<>> code_files_of(schema::Database& database) {
  using schema::ModuleRow;
  namespace known = schema::known_symbols;
  using Columns = schema::TolerantSelection<COLUMNS(ModuleRow, path, buildId, symbols)>;
  constexpr std::pair<std::string_view, CodeNames> codes[] = {
      {known::lines, CodeNames::lines},     {known::functions, CodeNames::functions},
      {known::none, CodeNames::none},       {known::unread_lines, CodeNames::unread_lines},
      {known::missing, CodeNames::missing}, {known::changed, CodeNames::changed}};
  std::map<std::string, CodeFile, std::less<>> files;
  for_each_row<Columns>(database, [&](const ModuleRow& row) {
    CodeFile file{row.buildId.value_or("")};
    const auto found = std::find_if(std::begin(codes), std::end(codes), [&row](const auto& code) {
      return code.first == row.symbols.value_or("");
    });
    if (found != std::end(codes)) file.names = found->second;
    files.try_emplace(kept_name(row.path), std::move(file));
  });
  return files;
}

// Returns the index of `id` in a result of StoredChains::add_to(); CallStacks::none if it is
// absent.
std::uint32_t chain_with(std::int64_t id, const std::vector<std::int64_t>& ids) {
  const auto found = std::lower_bound(ids.begin(), ids.end(), id);
  if (found == ids.end() || *found != id) return CallStacks::none;
  return static_cast<std::uint32_t>(found - ids.begin());
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

// Returns the call that made each node: a captured call, or a call such as cudaGraphAddKernelNode.
// For a node of an executable graph, this is the call that made its original node.
std::vector<CallStacks::NodeMaker> makers_of_nodes(schema::Database& database, const Calls& calls) {
  std::unordered_map<std::int64_t, GraphNodeRow> made;
  using Columns =
      schema::Selection<COLUMNS(GraphNodeRow, start, globalTid, graphNodeId, originalGraphNodeId)>;
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
