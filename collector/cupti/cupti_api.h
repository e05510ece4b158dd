#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "collector/cupti/library_places.h"

namespace lapscope::cupti {

// The functions of one loaded libcupti. Functions after `optional` may be null: older libraries
// lack them. libcupti is loaded, never linked: its symbols carry the major version, and a second
// copy beside one that the program already has would break both.
struct CuptiApi {
  std::string path;  // file the functions came from
  // cuptiGetVersion: 130001 is 13.0 update 1, small numbers are CUDA 12. 0 if it fails, as
  // CUPTI 13.5 does without a driver (CUPTI_ERROR_UNKNOWN).
  std::uint32_t version = 0;

  decltype(&cuptiGetVersion) get_version = nullptr;
  decltype(&cuptiGetResultString) get_result_string = nullptr;
  decltype(&cuptiGetCallbackName) get_callback_name = nullptr;
  decltype(&cuptiSubscribe) subscribe = nullptr;
  decltype(&cuptiSetThreadIdType) set_thread_id_type = nullptr;
  decltype(&cuptiActivitySetAttribute) activity_set_attribute = nullptr;
  decltype(&cuptiActivityRegisterCallbacks) activity_register_callbacks = nullptr;
  decltype(&cuptiActivityEnable) activity_enable = nullptr;
  decltype(&cuptiActivityFlushAll) activity_flush_all = nullptr;
  decltype(&cuptiActivityGetNextRecord) activity_get_next_record = nullptr;
  decltype(&cuptiActivityGetNumDroppedRecords) activity_get_num_dropped_records = nullptr;

  // optional; spelled out because headers before 12.5 and 13.0 lack the declarations
  using EnableApi = CUptiResult (*)(CUpti_CallbackId, std::uint8_t);
  using EnableFlag = CUptiResult (*)(std::uint8_t);
  using InitializeNvtx = int (*)(void*);
  decltype(&cuptiActivityDisable) activity_disable = nullptr;
  EnableApi activity_enable_runtime_api = nullptr;
  EnableApi activity_enable_driver_api = nullptr;
  EnableFlag activity_enable_cuda_event_device_timestamps = nullptr;
  EnableFlag activity_enable_latency_timestamps = nullptr;
  decltype(&cuptiActivityConfigureUnifiedMemoryCounter) activity_configure_unified_memory_counter =
      nullptr;
  InitializeNvtx initialize_nvtx = nullptr;
  decltype(&cuptiEnableCallback) enable_callback = nullptr;
  decltype(&cuptiGetTimestamp) get_timestamp = nullptr;
  decltype(&cuptiGetStreamIdEx) get_stream_id_ex = nullptr;
  decltype(&cuptiGetContextId) get_context_id = nullptr;
  decltype(&cuptiGetGraphId) get_graph_id = nullptr;
  decltype(&cuptiGetGraphNodeId) get_graph_node_id = nullptr;
  using GetGraphExecId = CUptiResult (*)(CUgraphExec, std::uint32_t*);
  GetGraphExecId get_graph_exec_id = nullptr;
};

// CUPTI's name of a result, as CUPTI_ERROR_INVALID_KIND.
std::string result_name(const CuptiApi& api, CUptiResult result);

// Size in bytes of a record of `kind` in this libcupti; 0 for a kind it does not know. Found by
// letting cuptiActivityGetNextRecord step over a buffer of two records; needs no GPU.
std::size_t probe_record_size(const CuptiApi& api, CUpti_ActivityKind kind);

struct LoadResult {
  std::optional<CuptiApi> api;
  Place place = Place::in_process;  // where it was
  std::string problem;              // one sentence when api is empty
};

// Whether this libcupti can be trusted inside other people's programs: not those before CUDA 12.4,
// nor one release of 13.0. If not, `problem` says why and what to do.
bool is_usable(const CuptiApi& api, std::string& problem);

// Takes the libcupti that the process already has (PyTorch and JAX bring their own), because two
// copies in one process break each other; else the first candidate (library_places.h) that has all
// required functions.
// A missing library is a result, not an exception.
LoadResult load_cupti(const std::optional<std::string>& explicit_path,
                      const std::filesystem::path& own_folder);

}  // namespace lapscope::cupti
