#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapscope::doctor {

// Whether recording will work on this machine, and why not. Nothing here makes a CUDA context,
// which takes GPU memory: what a GPU itself would say against it shows while recording.

enum class Level {
  good,
  note,  // works, but may surprise
  bad,   // stands in the way of recording
};

struct Finding {
  Level level = Level::good;
  std::string subject;  // a word or two
  std::string state;    // what was found
  std::string remedy;   // a sentence with the next step; empty when there is nothing to do
};

using Findings = std::vector<Finding>;

// One function a question, in the order in which they are asked.

// The kernel module, the GPUs that it knows, and whether this user may open them. All files are
// looked for below `root`.
Findings check_driver(const std::filesystem::path& root);
Findings check_gpus(const std::filesystem::path& root);
Findings check_permissions(const std::filesystem::path& root);

// Whether threads that run are seen in native code, by what process::thread_clock_refusal() says.
Findings check_native_frames(int refusal);

// CUDA versions are coded as cuDriverGetVersion does: 13000 for 13.0.
//
// The CUDA version of libcuda, without initialising it; nothing if there is no libcuda.
std::optional<int> cuda_of_driver();
// The CUDA version of the toolkit which a CUPTI came with, from cuptiGetVersion; nothing for
// releases before 12.0.
std::optional<int> cuda_of_cupti(std::uint32_t cupti_version);
// Whether the two go together.
Findings check_versions(std::optional<int> driver, std::optional<int> cupti);

// What the driver returns to a program that begins to use CUDA here, with the environment as it is
// (CUDA_VISIBLE_DEVICES): calls cuInit in this process. Nothing without a libcuda.
Findings check_cuda();

struct FoundCupti {
  std::optional<std::uint32_t> version;
  std::string path;
  std::string place;    // why this one: where it was found
  std::string problem;  // a sentence; empty when it can be used
};
// The libcupti that a program without one of its own would be recorded with.
FoundCupti find_cupti(const std::optional<std::string>& explicit_path);
Findings check_cupti(const FoundCupti& found);

// The collector library.
Findings check_collector();

// Other tools that the environment would load into the program, or that changes what CUDA does.
Findings check_injections();

// Free space where the trace would be written.
Findings check_space(const std::filesystem::path& folder);
// The same for so many bytes, or for a folder that cannot be asked.
Findings check_space(const std::string& folder, std::optional<std::uint64_t> free_bytes,
                     bool writable);

}  // namespace lapscope::doctor
