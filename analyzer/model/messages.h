#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The data that the kernel of an NCCL call communicates, from the payload of the NVTX range around
// the call.
struct Message {
  std::uint32_t call = 0;          // the call that launched the kernel, in Trace::calls
  std::uint32_t function = 0;      // in Trace::names, such as "ncclAllReduce"
  std::uint64_t communicator = 0;  // NCCL's id, the same on all of its ranks
  Bytes bytes = 0;                 // the message size of this rank, as NCCL defines it
  std::optional<int> peer = {};    // for ncclSend and ncclRecv: the other rank
};

// Sorted by call. A kernel that ncclGroupEnd launches for several NCCL calls has a message for each
// of these calls.
using Messages = std::vector<Message>;

// A rank of this process in a communicator. A process with several devices can have several ranks
// in one communicator.
struct Communicator {
  std::uint64_t id = 0;
  int rank = 0;
  int ranks = 0;

  friend bool operator==(const Communicator&, const Communicator&) = default;
};

}  // namespace lapscope::analyzer
