#pragma once

#include <cupti.h>

#include <cstdint>
#include <vector>

#include "collector/callbacks/listener.h"

namespace lapscope::test {

// Makes a handle from a number, which the fake libcupti uses as the id.
template <class Handle>
Handle handle(std::uintptr_t id) {
  return reinterpret_cast<Handle>(id);
}

inline constexpr std::uint32_t thread_stream_offset = 1000;  // for per-thread default streams
inline constexpr std::uint64_t event_time = 1'700'000'000'000'000'500;

inline cupti::CuptiApi numbering_cupti() {
  cupti::CuptiApi api;
  api.enable_callback = [](std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain,
                           CUpti_CallbackId) { return CUPTI_SUCCESS; };
  api.get_timestamp = [](std::uint64_t* time) {
    *time = event_time;
    return CUPTI_SUCCESS;
  };
  api.get_stream_id_ex = [](CUcontext, CUstream stream, std::uint8_t per_thread,
                            std::uint32_t* id) {
    *id = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(stream)) +
          (per_thread ? thread_stream_offset : 0);
    return CUPTI_SUCCESS;
  };
  api.get_graph_id = [](CUgraph graph, std::uint32_t* id) {
    *id = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(graph));
    return CUPTI_SUCCESS;
  };
  api.get_graph_exec_id = [](CUgraphExec graph, std::uint32_t* id) {
    *id = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(graph));
    return CUPTI_SUCCESS;
  };
  api.get_graph_node_id = [](CUgraphNode node, std::uint64_t* id) {
    *id = reinterpret_cast<std::uintptr_t>(node);
    return CUPTI_SUCCESS;
  };
  return api;
}

// The data with which CUPTI reports a call, by default a successful one.
class CallData {
 public:
  CallData(const void* params, std::uint32_t correlation, int result = 0) : result_(result) {
    data_.functionParams = params;
    data_.functionReturnValue = &result_;
    data_.contextUid = 1;
    data_.correlationId = correlation;
  }
  const void* enter() {
    data_.callbackSite = CUPTI_API_ENTER;
    return &data_;
  }
  const void* exit() {
    data_.callbackSite = CUPTI_API_EXIT;
    return &data_;
  }
  CUpti_CallbackData& data() { return data_; }

 private:
  int result_;
  CUpti_CallbackData data_{};
};

}  // namespace lapscope::test
