#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapscope::doctor {

// These checks find out whether recording will work on this machine. No check creates a CUDA
// context, because a context takes GPU memory. So problems of a GPU itself are found only by a
// recording.

enum class Level {
  good,
  note,  // works, but may surprise
  bad,   // prevents recording
};

struct Finding {
  Level level = Level::good;
  std::string subject;  // a word or two
  std::string state;    // what was found
  std::string remedy;   // a sentence with the next step; empty when there is nothing to do
};

using Findings = std::vector<Finding>;

// Check that the driver's kernel module is loaded, that the driver knows GPUs, and that this user
// may open the GPUs. All files are read below `root`.
Findings check_driver(const std::filesystem::path& root);
Findings check_gpus(const std::filesystem::path& root);
Findings check_permissions(const std::filesystem::path& root);

// Reports whether recordings can have native frames in samples of running threads. `refusal` is the
// result of process::thread_clock_refusal().
Findings check_native_frames(int refusal);

// CUDA versions are coded as in cuDriverGetVersion: 13000 for 13.0.
//
// Returns the CUDA version of libcuda, without initialising libcuda; nothing if there is no
// libcuda.
std::optional<int> cuda_of_driver();
// Returns the CUDA version of the toolkit that a CUPTI belongs to. `cupti_version` is the result of
// cuptiGetVersion. Returns nothing for releases before 12.0.
std::optional<int> cuda_of_cupti(std::uint32_t cupti_version);
Findings check_versions(std::optional<int> driver, std::optional<int> cupti);

// Calls cuInit in this process and reports the result. Before that, removes CUDA_INJECTION64_PATH
// from the environment, but not CUDA_VISIBLE_DEVICES. Reports nothing if there is no libcuda.
Findings check_cuda();

struct FoundCupti {
  std::optional<std::uint32_t> version;
  std::string path;
  std::string place;    // where it was found
  std::string problem;  // a sentence; empty when it can be used
};
// Finds the libcupti that recordings use if the program has not loaded a libcupti itself.
FoundCupti find_cupti(const std::optional<std::string>& explicit_path);
Findings check_cupti(const FoundCupti& found);

Findings check_collector();

// Checks the environment for variables that load other tools into the program, or change what CUDA
// does.
Findings check_injections();

Findings check_space(const std::filesystem::path& folder);
// Like the function above, but for a given state of the folder. `free_bytes` is nothing if the
// folder does not exist. `writable` is true if this user may write to the folder.
Findings check_space(const std::string& folder, std::optional<std::uint64_t> free_bytes,
                     bool writable);

}  // namespace lapscope::doctor
