#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "collector/callbacks/own_process.h"
#include "collector/nvtx/payload_schema.h"

namespace lapscope::nvtx {

// The payload schemas that the program has registered, by domain and id. Schemas are never removed,
// so find() takes no lock. Thread-safe. Members throw nothing. In a child made by fork(), nothing
// is registered.
class PayloadSchemas final : public SchemaLookup {
 public:
  static constexpr std::size_t most = 2048;  // NCCL has 20; further schemas are not kept

  // Add the schema of a struct or of an enumeration. `attributes` points to the program's
  // nvtxPayloadSchemaAttr_t or nvtxPayloadEnumAttr_t, and is read with a system call. Return the id
  // that the program gave the schema, or a new id if the program gave none. Return 0 if the schema
  // was not kept.
  std::uint64_t add_schema(const void* domain, const void* attributes) noexcept;
  std::uint64_t add_enumeration(const void* domain, const void* attributes) noexcept;

  const PayloadSchema* find(const void* domain, std::uint64_t id) const noexcept override;
  bool is_empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

 private:
  struct Place {
    const void* domain = nullptr;
    std::uint64_t id = 0;
    const PayloadSchema* schema = nullptr;  // never freed
  };

  std::uint64_t add(const void* domain, std::uint64_t id, PayloadSchema schema);

  const callbacks::OwnProcess own_process_;
  std::mutex mutex_;  // guards adding
  std::uint64_t last_id_ = 0;
  std::atomic<std::size_t> count_{0};
  std::array<Place, most> places_{};  // entries below count_ never change
};

}  // namespace lapscope::nvtx
