#pragma once

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

// Every environment variable that lapscope reads or sets, and every variable that it stores in a
// trace.
namespace lapscope::environment {

// The CUDA driver and NVTX load the library that these variables name: the collector.
inline constexpr const char* cuda_injection = "CUDA_INJECTION64_PATH";
inline constexpr const char* nvtx_injection = "NVTX_INJECTION64_PATH";

// Set by `lapscope record`, read by the collector.
inline constexpr const char* output = "LAPSCOPE_OUTPUT";          // absolute path of the trace
inline constexpr const char* session = "LAPSCOPE_SESSION";        // id of this recording
inline constexpr const char* flush_period = "LAPSCOPE_FLUSH_MS";  // milliseconds between flushes
inline constexpr const char* cupti = "LAPSCOPE_CUPTI";            // libcupti to use
inline constexpr const char* request = "LAPSCOPE_REQUEST";        // which records to collect
inline constexpr const char* capture = "LAPSCOPE_CAPTURE";        // which part of the run to record
inline constexpr const char* note = "LAPSCOPE_NOTE";        // file for failures to write a trace
inline constexpr const char* control = "LAPSCOPE_CONTROL";  // folder of sockets for `lapscope ctl`

// Set by `lapscope record --bare` and read by the library that measures NVTX ranges without CUPTI.
// The value is the folder in which each process writes a file with the measured times.
inline constexpr const char* range_times = "LAPSCOPE_RANGE_TIMES";

// Set by the user. The value is the collector library that `lapscope record` uses in place of the
// installed one.
inline constexpr const char* collector = "LAPSCOPE_COLLECTOR";

// Variables that are stored in the table LAPSCOPE_ENVIRONMENT when they are set. They change what
// CUDA, NCCL or PyTorch do on the GPU. No other variable is stored, because it might hold a
// credential.
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

// Returns the value of a variable if it is a whole number of at most nine digits; else nothing.
// Only such values are accepted, because the number becomes part of a file name.
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

// The variables of torchrun, Open MPI, PMIx under Slurm, MPICH, MVAPICH and Slurm. The launcher
// that is nearest to the program comes first, because torchrun may run within a Slurm job. Slurm's
// batch script has a rank, but no SLURM_STEP_NUM_TASKS, so world_size() returns nothing there.
inline constexpr Launcher launchers[] = {
    {"RANK", "WORLD_SIZE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
    {"PMI_RANK", "PMI_SIZE"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
};

// Returns the rank of this process from the first launcher in `launchers` that has set a rank.
// Returns nothing if no launcher has set a rank.
inline std::optional<std::string> rank() {
  for (const Launcher& launcher : launchers) {
    if (auto rank = number(launcher.rank)) return rank;
  }
  return std::nullopt;
}

// Returns the number of ranks, from the launcher that rank() uses. Returns nothing if that launcher
// has not set this number.
inline std::optional<std::string> world_size() {
  for (const Launcher& launcher : launchers) {
    if (number(launcher.rank)) return number(launcher.size);
  }
  return std::nullopt;
}

inline bool may_have_other_ranks() {
  if (const auto size = world_size()) return *size != "1";
  return rank().value_or("0") != "0";
}

}  // namespace lapscope::environment
