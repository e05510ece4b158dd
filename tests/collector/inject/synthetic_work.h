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

// Makes activity records of imagined work. Only enabled kinds have records, as in CUPTI.
class SyntheticWork {
 public:
  using Record = std::vector<std::uint64_t>;  // 8-aligned

  // `room` returns the size of libcupti's record of a kind, in bytes.
  explicit SyntheticWork(std::function<std::size_t(CUpti_ActivityKind)> room)
      : room_(std::move(room)) {}

  void enable(CUpti_ActivityKind kind);
  void disable(CUpti_ActivityKind kind) { kinds_.erase(kind); }
  // Switches the records of one runtime function on or off, whatever kinds are enabled.
  void enable_call(CUpti_CallbackId id, bool enabled);

  // Makes records of `count` kernels in one stream and `count` copies in another, in an NVTX range
  // if `nvtx` is true.
  void launch(int count, bool nvtx);

  // Begins an NVTX range on this thread and returns its id.
  std::uint32_t begin_range(const char* name);
  void end_range(std::uint32_t id);

  // Begins a call and returns its correlation id.
  std::uint32_t begin_call() { return ++correlation_; }
  // Ends a call of a runtime function and makes its record. If the function records an event or
  // waits for one, there is also a record of this, as in CUPTI.
  void call(CUpti_CallbackId id, std::uint32_t correlation);

  // Makes a record of an unknown kind, which libcupti cannot skip.
  void garble();

  // Returns all records that were made since the last take().
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
