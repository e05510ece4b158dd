#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::cupti {

// Where a libcupti comes from, in the order in which the places are asked.
enum class Place {
  asked_for,        // record --cupti
  in_process,       // loaded by the program: PyTorch links it
  of_program,       // beside the CUDA runtime that the program has loaded, or in its site-packages
  beside_lapscope,  // in the folder of the collector library
  wheel,    // nvidia-cuda-cupti* in the environment that lapscope is installed in, or $VIRTUAL_ENV
  conda,    // $CONDA_PREFIX
  loader,   // LD_LIBRARY_PATH, ldconfig
  toolkit,  // $CUDA_HOME, $CUDA_PATH, /usr/local/cuda*, newest first
};

// As it is said behind "found": "in a wheel of this environment".
std::string_view words(Place place);

struct Candidate {
  std::string path;  // of a file; of the loader the name alone
  Place place = Place::loader;

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

// The names that libcupti has, since CUDA 12: with the major version alone.
inline constexpr std::string_view library_names[] = {"libcupti.so.13", "libcupti.so.12"};

// Where to look when the process has no libcupti yet, best first: only `asked_for` when it is
// given. `own_folder` is the collector library's.
std::vector<Candidate> library_candidates(const std::optional<std::string>& asked_for,
                                          const std::filesystem::path& own_folder);

// The same where the program has loaded these files, so that it can be tried without loading any.
std::vector<Candidate> library_candidates(const std::vector<std::string>& loaded_files,
                                          const std::filesystem::path& own_folder);

}  // namespace lapscope::cupti
