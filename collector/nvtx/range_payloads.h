#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collector/callbacks/own_process.h"
#include "collector/nvtx/payload_schemas.h"
#include "collector/nvtx_interface/interface.h"

namespace lapscope::nvtx {

// The bytes of a payload, copied when the range was opened or the mark was set.
struct RawPayload {
  static constexpr std::size_t most = 448;  // bytes; NCCL's payloads have at most 40

  std::uint64_t begin = 0;       // ns, UTC, before the call of CUPTI's function
  std::uint64_t end = 0;         // ns, UTC, after it
  const void* domain = nullptr;  // NVTX's handle
  const PayloadSchema* schema = nullptr;
  std::uint32_t thread = 0;  // system thread id
  std::uint32_t size = 0;
  std::array<std::byte, most> bytes;  // only the first `size` are set

  std::span<const std::byte> content() const { return std::span(bytes).first(size); }
};

// A queue for the extended payloads of NVTX ranges and marks. It carries them from the program's
// threads to the thread that writes the trace. No thread waits for another thread. If the queue is
// full, a new payload is dropped and counted as lost. Only take() may throw. In a child made by
// fork(), no payload is read.
class RangePayloads {
 public:
  static constexpr std::int32_t extended = static_cast<std::int32_t>(0xDFBD0009);
  static constexpr std::size_t room = 16'384;  // payloads: 8 MiB, mapped page by page on first use

  PayloadSchemas& schemas() { return schemas_; }

  // Sets whether payloads are kept.
  void keep(bool keeps) noexcept;

  // Returns true if payloads are recorded at present and the range or mark with these attributes
  // has a payload.
  bool has(Attributes attributes) const noexcept {
    return attributes && attributes->payloadType == extended &&
           keeps_.load(std::memory_order_relaxed);
  }

  // read() copies the payload of a range or mark. Call it before CUPTI's function. push() queues
  // the copy. Call it after CUPTI's function.
  std::optional<RawPayload> read(DomainHandle domain, Attributes attributes) noexcept;
  void push(RawPayload& payload) noexcept;

  // Removes the queued payloads and returns them in the order of their pushes. Only one thread may
  // call this function. May throw std::bad_alloc.
  std::vector<RawPayload> take();
  // Returns the number of payloads that were lost since the previous call of take_lost(). A payload
  // is lost if the queue is full or if the payload cannot be read.
  std::int64_t take_lost() noexcept { return lost_.exchange(0); }

 private:
  // A place in the queue. See push() for the meaning of `turn`.
  struct Place {
    std::atomic<std::uint64_t> turn;
    RawPayload payload;
  };

  const callbacks::OwnProcess own_process_;
  PayloadSchemas schemas_;
  std::atomic<bool> keeps_{false};
  std::atomic<Place*> places_{nullptr};  // `room` places, never unmapped
  alignas(64) std::atomic<std::uint64_t> pushed_{0};
  alignas(64) std::uint64_t taken_ = 0;
  std::atomic<std::int64_t> lost_{0};
};

// Returns the RangePayloads object of this process.
RangePayloads& range_payloads();

}  // namespace lapscope::nvtx
