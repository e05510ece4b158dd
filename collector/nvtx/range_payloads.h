#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collector/callbacks/own_process.h"
#include "collector/nvtx_interface/interface.h"

namespace lapscope::nvtx {

// A schema that the program has registered with NVTX's payload extension. Describes the bytes of a
// payload: the entries of a struct, or the names of an enumeration's values.
struct PayloadSchema {
  struct Entry {
    std::uint64_t flags = 0;   // NVTX_PAYLOAD_ENTRY_FLAG_*
    std::uint64_t type = 0;    // NVTX_PAYLOAD_ENTRY_TYPE_*, or the id of a schema
    std::uint64_t detail = 0;  // length of a text or array
    std::uint64_t offset = 0;  // bytes; 0 in a later entry: after the previous one, aligned
    std::string name;
  };

  std::vector<Entry> entries;  // of a struct
  std::size_t size = 0;        // bytes; 0: not known
  std::size_t pack = 0;        // greatest alignment of an entry, bytes; 0: no limit
  bool is_struct = false;      // static layout; unions and dynamic structs are not read

  std::vector<std::pair<std::uint64_t, std::string>> values;  // of an enumeration
  std::size_t enum_size = 0;                                  // bytes; 0: not an enumeration
};

// The payload schemas that the program has registered, by domain and id. Schemas are never removed,
// so find() takes no lock. Thread-safe. Only add() can throw. It throws only std::bad_alloc. In a
// child made by fork(), nothing is registered.
class PayloadSchemas {
 public:
  static constexpr std::size_t most = 2048;  // NCCL has 20; further schemas are not kept

  // Add the schema of a struct or of an enumeration. `attributes` points to the program's
  // nvtxPayloadSchemaAttr_t or nvtxPayloadEnumAttr_t, and is read with a system call. Return the id
  // that the program gave the schema, or a new id if the program gave none. Return 0 if there is no
  // room for the schema, or if the attributes cannot be read.
  std::uint64_t add_schema(const void* domain, const void* attributes) noexcept;
  std::uint64_t add_enumeration(const void* domain, const void* attributes) noexcept;

  // Adds a schema that has been read. Returns the same as add_schema().
  std::uint64_t add(const void* domain, std::uint64_t id, PayloadSchema schema);

  // Returns null if there is no such schema.
  const PayloadSchema* find(const void* domain, std::uint64_t id) const noexcept;
  bool is_empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

 private:
  struct Place {
    const void* domain = nullptr;
    std::uint64_t id = 0;
    const PayloadSchema* schema = nullptr;  // never freed
  };

  const callbacks::OwnProcess own_process_;
  std::mutex mutex_;  // guards adding
  std::uint64_t last_id_ = 0;
  std::atomic<std::size_t> count_{0};
  std::array<Place, most> places_{};  // entries below count_ never change
};

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

  void keep(bool keeps) noexcept;

  // Returns whether payloads are recorded at present and these attributes have one.
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

RangePayloads& range_payloads();

}  // namespace lapscope::nvtx
