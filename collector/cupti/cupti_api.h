#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "collector/cupti/library_places.h"

namespace lapscope::cupti {

// The functions of one loaded libcupti. Optional functions are null if an older library lacks them.
// lapscope loads libcupti at run time and never links it, for two reasons. First, a program that
// links libcupti works with only one major version of it, because the ELF version of libcupti's
// symbols contains the major version ("libcupti.so.13"). Second, two copies of libcupti in one
// process break each other.
struct CuptiApi {
  std::string path;  // file the functions came from
  // The result of cuptiGetVersion. 130001 is CUDA 13.0 update 1, and small numbers are releases of
  // CUDA 12. `version` is 0 if cuptiGetVersion fails, as in CUPTI 13.5 without a driver
  // (CUPTI_ERROR_UNKNOWN).
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

  // The functions from here on are optional. Some types are spelled out, because headers before
  // CUDA 12.5 or 13.0 lack the declarations.
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

// Returns CUPTI's name of a result, such as CUPTI_ERROR_INVALID_KIND.
std::string result_name(const CuptiApi& api, CUptiResult result);

// Returns the size in bytes of a record of `kind` in this libcupti. Returns 0 if the library does
// not know the kind. Calls cuptiActivityGetNextRecord with a buffer of two records: the distance
// between the two records is the size. Needs no GPU.
std::size_t probe_record_size(const CuptiApi& api, CUpti_ActivityKind kind);

struct LoadResult {
  std::optional<CuptiApi> api;
  Place place = Place::in_process;  // where the library was found
  std::string problem;              // one sentence when api is empty
};

// Returns whether this libcupti is safe to use in a program. A libcupti is not safe if it is older
// than CUDA 12.4, is the first release of 13.0, or reports no version. If the result is false, sets
// `problem` to the reason and the remedy.
bool is_usable(const CuptiApi& api, std::string& problem);

// Loads libcupti. Prefers the libcupti that the program has loaded (PyTorch and JAX bring their
// own), because two copies in one process break each other. Otherwise takes the first candidate
// (library_places.h) that has all required functions. Does not throw: the result has the problem.
LoadResult load_cupti(const std::optional<std::string>& explicit_path,
                      const std::filesystem::path& own_folder);

}  // namespace lapscope::cupti
