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
#include "collector/nvtx_interface/module_tables.h"

namespace lapscope::nvtx {

// The bytes of a payload, as they were when its range was opened, or its mark set.
struct RawPayload {
  static constexpr std::size_t most = 448;  // bytes; NCCL's have 40 at most

  std::uint64_t begin = 0;  // ns, UTC: before and after the range was passed to CUPTI
  std::uint64_t end = 0;
  const void* domain = nullptr;  // NVTX's handle
  const PayloadSchema* schema = nullptr;
  std::uint32_t thread = 0;  // system thread id
  std::uint32_t size = 0;
  std::array<std::byte, most> bytes;  // the first `size`

  std::span<const std::byte> content() const { return std::span(bytes).first(size); }
};

// The extended payloads that ranges and marks come with, on their way from the program's threads to
// the one that writes them. The payloads of a thread wait for no other thread; a payload that finds
// no room is counted. Throws nothing; a child made by fork() does nothing.
class RangePayloads {
 public:
  static constexpr std::size_t room = 16'384;  // 8 MiB, in the program's memory once they are used

  PayloadSchemas& schemas() { return schemas_; }

  // From here on, and no longer, payloads are kept.
  void keep(bool keeps) noexcept;

  // Whether a range with these attributes brings a payload that is to be kept.
  bool has(Attributes attributes) const noexcept {
    return attributes && attributes->payloadType == extended &&
           keeps_.load(std::memory_order_relaxed);
  }

  // Around the call of CUPTI's function: copies the payload, and keeps it.
  std::optional<RawPayload> read(DomainHandle domain, Attributes attributes) noexcept;
  void push(RawPayload& payload) noexcept;

  // What was pushed, in the order in which it was. For one thread, which may throw.
  std::vector<RawPayload> take();
  // How many found no room, or could not be read, since the last time.
  std::int64_t take_lost() noexcept { return lost_.exchange(0); }

 private:
  static constexpr std::int32_t extended = static_cast<std::int32_t>(0xDFBD0009);

  // A place belongs to the push with the number `turn`, then to the take with turn + 1.
  struct Place {
    std::atomic<std::uint64_t> turn;
    RawPayload payload;
  };

  const callbacks::OwnProcess own_process_;
  PayloadSchemas schemas_;
  std::atomic<bool> keeps_{false};
  std::atomic<Place*> places_{nullptr};  // `room` of them, never given back
  alignas(64) std::atomic<std::uint64_t> pushed_{0};
  alignas(64) std::uint64_t taken_ = 0;
  std::atomic<std::int64_t> lost_{0};
};

// The payloads of this process.
RangePayloads& range_payloads();

}  // namespace lapscope::nvtx
