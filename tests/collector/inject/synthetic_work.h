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

// Makes synthetic activity records of work that nobody did. It makes records only for enabled
// kinds, as CUPTI does.
class SyntheticWork {
 public:
  using Record = std::vector<std::uint64_t>;  // 8-aligned

  // `room` returns how many bytes libcupti gives to a record of a kind.
  explicit SyntheticWork(std::function<std::size_t(CUpti_ActivityKind)> room)
      : room_(std::move(room)) {}

  void enable(CUpti_ActivityKind kind);
  void disable(CUpti_ActivityKind kind) { kinds_.erase(kind); }
  // Whether calls of a runtime function are recorded, with the kind enabled or without; enabling
  // the kind forgets it.
  void enable_call(CUpti_CallbackId id, bool enabled);

  // Kernels in one stream and as many copies in another, in an NVTX range if asked for.
  void launch(int count, bool nvtx);

  // The begin of an NVTX range on this thread; returns its id. Its end.
  std::uint32_t begin_range(const char* name);
  void end_range(std::uint32_t id);

  // The correlation id of a call that begins.
  std::uint32_t begin_call() { return ++correlation_; }
  // A call of a function of the runtime that has returned, with the records that CUPTI makes of
  // those which record events or wait for them.
  void call(CUpti_CallbackId id, std::uint32_t correlation);

  // What was made since the last time.
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
