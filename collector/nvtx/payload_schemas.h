#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "collector/callbacks/own_process.h"

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

}  // namespace lapscope::nvtx
