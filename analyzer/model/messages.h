#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// What a call of NCCL has its kernel communicate, by the payload of the NVTX range around it.
struct Message {
  std::uint32_t call = 0;          // in Trace::calls, that launched the kernel
  std::uint32_t function = 0;      // in Trace::names, as "ncclAllReduce"
  std::uint64_t communicator = 0;  // NCCL's id: the same on all ranks of it
  Bytes bytes = 0;                 // what NCCL calls the message's size, of this rank
  std::optional<int> peer = {};    // of ncclSend and ncclRecv, a rank of the communicator
};

// By call. A kernel of several calls, which ncclGroupEnd launches, has a message of each.
using Messages = std::vector<Message>;

// What this process is in a communicator. It is several ranks of one where it has several devices.
struct Communicator {
  std::uint64_t id = 0;
  int rank = 0;
  int ranks = 0;

  friend bool operator==(const Communicator&, const Communicator&) = default;
};

}  // namespace lapscope::analyzer
