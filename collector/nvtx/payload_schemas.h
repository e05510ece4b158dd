#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "collector/callbacks/own_process.h"
#include "collector/nvtx/payload_schema.h"

namespace lapscope::nvtx {

// The schemas that the program has registered, by domain and id. What is registered stays: to find
// a schema takes no lock. Thread-safe, throws nothing; a child made by fork() registers nothing.
class PayloadSchemas final : public SchemaLookup {
 public:
  static constexpr std::size_t most = 2048;  // NCCL has 20; what comes later is not kept

  // `attributes` are an nvtxPayloadSchemaAttr_t and an nvtxPayloadEnumAttr_t of the program, read
  // through the kernel. Returns the id: the program's, or a new one; 0 where nothing was kept.
  std::uint64_t add_schema(const void* domain, const void* attributes) noexcept;
  std::uint64_t add_enumeration(const void* domain, const void* attributes) noexcept;

  const PayloadSchema* find(const void* domain, std::uint64_t id) const noexcept override;
  bool is_empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

 private:
  struct Place {
    const void* domain = nullptr;
    std::uint64_t id = 0;
    const PayloadSchema* schema = nullptr;  // as long-lived as the process
  };

  std::uint64_t add(const void* domain, std::uint64_t id, PayloadSchema schema);

  const callbacks::OwnProcess own_process_;
  std::mutex mutex_;  // guards adding
  std::uint64_t last_id_ = 0;
  std::atomic<std::size_t> count_{0};
  std::array<Place, most> places_{};  // those below count_ never change
};

}  // namespace lapscope::nvtx
