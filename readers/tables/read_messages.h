#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/calls.h"
#include "analyzer/model/messages.h"
#include "analyzer/model/names.h"

namespace lapscope::analyzer {

// Whether a range of this name begins or ends a group of NCCL's calls.
inline bool is_group(std::string_view name) {
  return name == "ncclGroupStart" || name == "ncclGroupEnd";
}
// Whether a payload says which communicator a call is for.
bool is_payload_of_nccl(std::string_view json);

// A range of NCCL's that has a payload, or that begins or ends a group.
struct CommunicationRange {
  Interval interval;
  std::int64_t global_tid = 0;
  std::uint32_t name = 0;     // in Trace::names, as the next one
  std::uint32_t payload = 0;  // JSON; no_index if there is none
};

struct ReadMessages {
  Messages messages;
  std::vector<Communicator> communicators;  // by id and rank
};

// Which launches send what: those that a thread makes in a range that has a payload. Between
// ncclGroupStart and ncclGroupEnd calls are collected, and the outermost ncclGroupEnd launches
// them:
//
//   NVTX   [ncclGroupStart] [ncclSend] [ncclRecv] [ncclGroupEnd          ]
//   calls                                            [cuLaunchKernelExC]    both messages
//
// If that launches several kernels for several calls, nothing shows which has which: these have
// none. Payloads that are not NCCL's, and are no JSON, do not count.
ReadMessages read_messages(std::vector<CommunicationRange> ranges, const Calls& calls,
                           const Names& names);

}  // namespace lapscope::analyzer
