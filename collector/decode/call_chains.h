#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collector/stacks/call_stacks.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::decode {

// Writes the call stacks as rows. The frames of a call stack form a chain. CallChains writes each
// chain and each module once, at its first use.
class CallChains {
 public:
  explicit CallChains(trace::TraceWriter& trace) : trace_(trace) {}

  // Sets the source of the call stacks. `before` has the counts of this source at the begin of this
  // trace. If there is no source, the trace has no call stacks.
  void set_source(stacks::CallStacks* stacks, const stacks::CallStacks::Counts& before) {
    stacks_ = stacks;
    before_ = before;
  }

  // Sets the columns that describe the stack in a call's row. If the call has no stack, leaves them
  // null. Must be called once for each call.
  void add_stack(std::uint32_t correlation, schema::ApiCallRow& row);

  // Writes a chain, unless it has already been written, and returns its id. Returns nothing if
  // `chain` is 0, which means that there is no chain.
  std::optional<std::int64_t> written(std::uint32_t chain);

  // Updates the table LAPSCOPE_STACKS.
  void write_counts();

 private:
  void write_chain(std::uint32_t number);
  schema::CallchainRow native_row(const stacks::Frame& frame, schema::CallchainRow row);
  schema::CallchainRow python_row(const stacks::Frame& frame, schema::CallchainRow row);
  std::int64_t write_module(std::uint32_t number);
  std::string path_of(const stacks::Module& module);

  trace::TraceWriter& trace_;
  stacks::CallStacks* stacks_ = nullptr;
  std::vector<bool> written_chains_;                     // by number of the chain
  std::vector<std::optional<std::int64_t>> file_names_;  // StringIds.id, by number of the module
  schema::StackCountsRow counts_;
  stacks::CallStacks::Counts before_;
};

}  // namespace lapscope::decode
