#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/calls.h"
#include "analyzer/model/messages.h"
#include "analyzer/model/names.h"

namespace lapscope::analyzer {

// Returns whether a range with this name begins or ends an NCCL group.
inline bool is_group(std::string_view name) {
  return name == "ncclGroupStart" || name == "ncclGroupEnd";
}
// Returns whether a payload names the communicator of an NCCL call.
bool is_payload_of_nccl(std::string_view json);

// An NCCL range with a payload, or one that begins or ends a group.
struct CommunicationRange {
  Interval interval;
  std::int64_t global_tid = 0;
  std::uint32_t name = 0;     // index in Trace::names
  std::uint32_t payload = 0;  // index in Trace::names of the JSON; no_index if there is none
};

struct ReadMessages {
  Messages messages;
  std::vector<Communicator> communicators;  // by id and rank
};

// Finds the kernel launches that send each message. A launch inside a range with a payload sends
// the message of that range. Between ncclGroupStart and ncclGroupEnd, messages are collected. The
// launches inside the outermost ncclGroupEnd send all collected messages:
//
//   NVTX   [ncclGroupStart] [ncclSend] [ncclRecv] [ncclGroupEnd          ]
//   calls                                            [cuLaunchKernelExC]    both messages
//
// If a group has several messages and several kernels, no message gets a launch. The trace does not
// show which kernel sends which message. Payloads that are not NCCL's or not JSON are ignored.
ReadMessages read_messages(std::vector<CommunicationRange> ranges, const Calls& calls,
                           const Names& names);

}  // namespace lapscope::analyzer
