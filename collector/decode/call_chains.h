#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collector/stacks/call_stacks.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::decode {

// The stacks of calls, as rows: each chain and module when a call has it for the first time.
class CallChains {
 public:
  explicit CallChains(trace::TraceWriter& trace) : trace_(trace) {}

  // Sets where stacks come from, and what the source had counted before this trace began. Without a
  // source there are no stacks.
  void set_source(stacks::CallStacks* stacks, const stacks::CallStacks::Counts& before) {
    stacks_ = stacks;
    before_ = before;
  }

  // Sets the columns of a row for the stack of its call; nothing if the call has no stack. Once for
  // a call.
  void add_stack(std::uint32_t correlation, schema::ApiCallRow& row);

  // A chain that came in another way than with a call, as a row has it: written, or nothing for 0.
  std::optional<std::int64_t> written(std::uint32_t chain);

  // Brings LAPSCOPE_STACKS up to date.
  void write_counts();

 private:
  void write_chain(std::uint32_t number);
  schema::CallchainRow native_row(const stacks::Frame& frame, schema::CallchainRow row);
  schema::CallchainRow python_row(const stacks::Frame& frame, schema::CallchainRow row);
  std::int64_t write_module(std::uint32_t number);
  std::string path_of(const stacks::Module& module);

  trace::TraceWriter& trace_;
  stacks::CallStacks* stacks_ = nullptr;
  std::vector<bool> written_chains_;                     // by their numbers
  std::vector<std::optional<std::int64_t>> file_names_;  // StringIds.id, by modules' numbers
  schema::StackCountsRow counts_;
  stacks::CallStacks::Counts before_;
};

}  // namespace lapscope::decode
