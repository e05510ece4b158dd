#include "collector/cupti/cupti_api.h"

#include <dlfcn.h>

#include <array>
#include <cstring>

namespace lapscope::cupti {

std::string result_name(const CuptiApi& api, CUptiResult result) {
  const char* name = nullptr;
  if (api.get_result_string && api.get_result_string(result, &name) == CUPTI_SUCCESS && name) {
    return name;
  }
  return "CUPTI error " + std::to_string(static_cast<int>(result));
}

std::size_t probe_record_size(const CuptiApi& api, CUpti_ActivityKind kind) {
  // Write the number of the kind at every eighth byte. Records are aligned to 8 bytes. So wherever
  // the second record begins, it has this kind.
  alignas(8) std::array<std::uint8_t, 1024> buffer{};
  for (std::size_t offset = 0; offset < buffer.size(); offset += 8) {
    const auto value = static_cast<std::uint32_t>(kind);
    std::memcpy(buffer.data() + offset, &value, sizeof value);
  }
  CUpti_Activity* record = nullptr;
  if (api.activity_get_next_record(buffer.data(), buffer.size(), &record) != CUPTI_SUCCESS)
    return 0;
  const auto* first = reinterpret_cast<const std::uint8_t*>(record);
  if (api.activity_get_next_record(buffer.data(), buffer.size(), &record) != CUPTI_SUCCESS)
    return 0;
  return static_cast<std::size_t>(reinterpret_cast<const std::uint8_t*>(record) - first);
}

namespace {

template <class Function>
bool resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

// Returns the path of the file that contains a symbol; `otherwise` if the path cannot be found. The
// name that dlopen() was called with is not enough, because it may be a soname without a path.
std::string file_of(void* symbol, const std::string& otherwise) {
  Dl_info info{};
  return ::dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : otherwise;
}

bool resolve_required(void* library, CuptiApi& api) {
  return resolve(library, "cuptiGetVersion", api.get_version) &&
         resolve(library, "cuptiGetResultString", api.get_result_string) &&
         resolve(library, "cuptiGetCallbackName", api.get_callback_name) &&
         resolve(library, "cuptiSubscribe", api.subscribe) &&
         resolve(library, "cuptiSetThreadIdType", api.set_thread_id_type) &&
         resolve(library, "cuptiActivitySetAttribute", api.activity_set_attribute) &&
         resolve(library, "cuptiActivityRegisterCallbacks", api.activity_register_callbacks) &&
         resolve(library, "cuptiActivityEnable", api.activity_enable) &&
         resolve(library, "cuptiActivityFlushAll", api.activity_flush_all) &&
         resolve(library, "cuptiActivityGetNextRecord", api.activity_get_next_record) &&
         resolve(library, "cuptiActivityGetNumDroppedRecords",
                 api.activity_get_num_dropped_records);
}

void resolve_optional(void* library, CuptiApi& api) {
  resolve(library, "cuptiActivityDisable", api.activity_disable);
  resolve(library, "cuptiActivityEnableRuntimeApi", api.activity_enable_runtime_api);
  resolve(library, "cuptiActivityEnableDriverApi", api.activity_enable_driver_api);
  resolve(library, "cuptiActivityEnableCudaEventDeviceTimestamps",
          api.activity_enable_cuda_event_device_timestamps);
  resolve(library, "cuptiActivityEnableLatencyTimestamps", api.activity_enable_latency_timestamps);
  resolve(library, "cuptiActivityConfigureUnifiedMemoryCounter",
          api.activity_configure_unified_memory_counter);
  resolve(library, "InitializeInjectionNvtx2", api.initialize_nvtx);
  resolve(library, "cuptiEnableCallback", api.enable_callback);
  resolve(library, "cuptiGetTimestamp", api.get_timestamp);
  resolve(library, "cuptiGetStreamIdEx", api.get_stream_id_ex);
  resolve(library, "cuptiGetContextId", api.get_context_id);
  resolve(library, "cuptiGetGraphId", api.get_graph_id);
  resolve(library, "cuptiGetGraphNodeId", api.get_graph_node_id);
  resolve(library, "cuptiGetGraphExecId", api.get_graph_exec_id);
}

}  // namespace

bool is_usable(const CuptiApi& api, std::string& problem) {
  // The first release of 13.0 can crash in flushes and NVTX calls, and lacks synchronisation
  // records. Source: the release notes of 13.0 update 1.
  constexpr std::uint32_t cuda_13_0_first_release = 130000;
  constexpr std::uint32_t cuda_12_4 = 22;  // before CUDA 13, CUPTI's versions were 1, 2, 3, ...
  if (api.version == 0) {
    problem = "the CUPTI in " + api.path +
              " does not say its version, as some releases do where no NVIDIA driver is loaded";
    return false;
  }
  if (api.version < cuda_12_4) {
    problem = "the CUPTI in " + api.path + " (its version " + std::to_string(api.version) +
              ") is older than that of CUDA 12.4, with which lapscope begins; name a newer one, "
              "which also serves "
              "programs of older CUDA, with record --cupti, or install one: pip install "
              "nvidia-cuda-cupti-cu12";
    return false;
  }
  if (api.version != cuda_13_0_first_release) return true;
  problem = "the CUPTI of CUDA 13.0's first release (" + api.path +
            ") can crash programs; update 1 of CUDA 13.0, or any other release, does not";
  return false;
}

LoadResult load_cupti(const std::optional<std::string>& explicit_path,
                      const std::filesystem::path& own_folder) {
  LoadResult result;
  const auto adopt = [&result](void* library, const std::string& name, Place place) {
    CuptiApi api;
    if (!resolve_required(library, api)) {
      result.problem = name + " lacks functions that the collector needs: " + ::dlerror();
      return false;
    }
    resolve_optional(library, api);
    api.path = file_of(reinterpret_cast<void*>(api.get_version), name);
    api.get_version(&api.version);
    result.api = api;
    result.place = place;
    result.problem.clear();
    return true;
  };
  for (const std::string_view name : library_names) {
    void* library = ::dlopen(name.data(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (library && adopt(library, std::string(name), Place::in_process)) return result;
  }
  for (const Candidate& candidate : library_candidates(explicit_path, own_folder)) {
    void* library = ::dlopen(candidate.path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library && adopt(library, candidate.path, candidate.place)) return result;
    if (!library && result.problem.empty()) {
      const char* reason = ::dlerror();
      result.problem =
          "libcupti could not be loaded: " + std::string(reason ? reason : "not found");
    }
  }
  return result;
}

}  // namespace lapscope::cupti
