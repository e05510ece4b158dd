#pragma once

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

// Every environment variable that lapscope reads or sets, and the ones it stores in a trace.
namespace lapscope::environment {

// What makes the CUDA driver load the collector, and NVTX talk to it.
inline constexpr const char* cuda_injection = "CUDA_INJECTION64_PATH";
inline constexpr const char* nvtx_injection = "NVTX_INJECTION64_PATH";

// From `lapscope record` to the collector.
inline constexpr const char* output = "LAPSCOPE_OUTPUT";          // absolute path of the trace
inline constexpr const char* session = "LAPSCOPE_SESSION";        // id of this recording
inline constexpr const char* flush_period = "LAPSCOPE_FLUSH_MS";  // milliseconds between flushes
inline constexpr const char* cupti = "LAPSCOPE_CUPTI";            // libcupti to use
inline constexpr const char* request = "LAPSCOPE_REQUEST";        // what to record, and what not
inline constexpr const char* capture = "LAPSCOPE_CAPTURE";        // which part of the run
inline constexpr const char* note = "LAPSCOPE_NOTE";  // where to say that no trace could be written
inline constexpr const char* control = "LAPSCOPE_CONTROL";  // folder of sockets for `lapscope ctl`

// From `lapscope record --bare` to what times ranges: the folder that each process has its file in.
inline constexpr const char* range_times = "LAPSCOPE_RANGE_TIMES";

// From the user to `lapscope record`: a collector library elsewhere than beside the command.
inline constexpr const char* collector = "LAPSCOPE_COLLECTOR";

// Stored in LAPSCOPE_ENVIRONMENT when set, because they change what CUDA, NCCL or PyTorch do on the
// GPU. Nothing else is ever stored: environments hold credentials.
inline constexpr const char* stored[] = {
    "CUDA_CACHE_DISABLE",
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_DEVICE_MAX_COPY_CONNECTIONS",
    "CUDA_DEVICE_ORDER",
    "CUDA_DISABLE_PTX_JIT",
    "CUDA_FORCE_PTX_JIT",
    "CUDA_GRAPHS_USE_NODE_PRIORITY",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_MANAGED_FORCE_DEVICE_ALLOC",
    "CUDA_MODULE_DATA_LOADING",
    "CUDA_MODULE_LOADING",
    "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
    "CUDA_SCALE_LAUNCH_QUEUES",
    "CUDA_VISIBLE_DEVICES",
    "NCCL_ALGO",
    "NCCL_LAUNCH_MODE",
    "NCCL_MAX_CTAS",
    "NCCL_MAX_NCHANNELS",
    "NCCL_MIN_NCHANNELS",
    "NCCL_P2P_DISABLE",
    "NCCL_PROTO",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_NO_CUDA_MEMORY_CACHING",
    "TORCH_NCCL_BLOCKING_WAIT",
};

// A whole number of at most nine digits, as it is part of a file's name; nothing otherwise.
inline std::optional<std::string> number(const char* variable) {
  const char* value = std::getenv(variable);
  const std::string_view text(value ? value : "");
  if (text.empty() || text.size() > 9) return std::nullopt;
  const bool is_number =
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
  return is_number ? std::optional(std::string(text)) : std::nullopt;
}

struct Launcher {
  const char* rank;
  const char* size;
};

// torchrun, Open MPI, PMIx below Slurm, MPICH, MVAPICH, Slurm: the one that is nearest to the
// program first, as torchrun may run below Slurm. Slurm's own script has a rank, but no step.
inline constexpr Launcher launchers[] = {
    {"RANK", "WORLD_SIZE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
    {"PMI_RANK", "PMI_SIZE"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
};

// The rank that one of these launchers gave this process; nothing outside of them.
inline std::optional<std::string> rank() {
  for (const Launcher& launcher : launchers) {
    if (auto rank = number(launcher.rank)) return rank;
  }
  return std::nullopt;
}

// How many ranks there are, as the launcher says that gave the rank.
inline std::optional<std::string> world_size() {
  for (const Launcher& launcher : launchers) {
    if (number(launcher.rank)) return number(launcher.size);
  }
  return std::nullopt;
}

// Whether this process may be one of several that such a launcher has started.
inline bool may_have_other_ranks() {
  if (const auto size = world_size()) return *size != "1";
  return rank().value_or("0") != "0";
}

}  // namespace lapscope::environment
