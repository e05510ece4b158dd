#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "collector/cupti/cupti_api.h"

namespace lapscope::test {

// Makes synthetic activity records of work that does not happen. As in CUPTI, only enabled kinds
// have records.
class SyntheticWork {
 public:
  using Record = std::vector<std::uint64_t>;  // 8-aligned

  // `room` returns the size in bytes of libcupti's record of a kind.
  explicit SyntheticWork(std::function<std::size_t(CUpti_ActivityKind)> room)
      : room_(std::move(room)) {}

  void enable(CUpti_ActivityKind kind);
  void disable(CUpti_ActivityKind kind) { kinds_.erase(kind); }
  // Sets whether calls of one runtime function are recorded, regardless of the enabled kinds.
  // Enabling the kind undoes this setting.
  void enable_call(CUpti_CallbackId id, bool enabled);

  // Makes `count` kernels in one stream and `count` copies in another. `nvtx`: in an NVTX range.
  void launch(int count, bool nvtx);

  // Begins an NVTX range on this thread and returns its id.
  std::uint32_t begin_range(const char* name);
  void end_range(std::uint32_t id);

  // Returns the correlation id of a call that begins.
  std::uint32_t begin_call() { return ++correlation_; }
  // Makes the records of a finished call of a runtime function. For functions that record events or
  // wait for them, CUPTI makes further records.
  void call(CUpti_CallbackId id, std::uint32_t correlation);

  // Returns the records since the last call.
  std::vector<Record> take() { return std::exchange(records_, {}); }

 private:
  template <class T>
  void emit(const T& record);
  std::uint32_t emit_call(CUpti_CallbackId cbid);
  void emit_call(CUpti_CallbackId cbid, std::uint32_t correlation);
  bool records_call(CUpti_CallbackId id) const;
  void emit_context();
  void emit_kernel();
  void emit_copy();
  void emit_marker(CUpti_ActivityFlag flag, const char* name, std::uint32_t id);

  std::function<std::size_t(CUpti_ActivityKind)> room_;
  std::set<int> kinds_;
  std::map<CUpti_CallbackId, bool> switched_calls_;
  std::vector<Record> records_;
  bool context_made_ = false;
  std::uint32_t correlation_ = 0;
  std::uint32_t marker_ = 0;
};

}  // namespace lapscope::test
