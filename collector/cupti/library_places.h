#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::cupti {

// The places where a libcupti may be found, in the order in which they are searched.
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

// Returns a phrase that fits after "found", such as "in a wheel of this Python environment".
std::string_view words(Place place);

struct Candidate {
  std::string path;  // path of the file; for Place::loader only its name
  Place place = Place::loader;

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

// The file names of libcupti since CUDA 12. The number in a name is the major version.
inline constexpr std::string_view library_names[] = {"libcupti.so.13", "libcupti.so.12"};

// Returns the candidates for a process that has not loaded a libcupti, best first. If `asked_for`
// is given, it is the only candidate. `own_folder` is the folder of the collector library.
std::vector<Candidate> library_candidates(const std::optional<std::string>& asked_for,
                                          const std::filesystem::path& own_folder);

// Like the function above, for a program that has loaded `loaded_files`. Tests use it, so that they
// need not load any libraries.
std::vector<Candidate> library_candidates(const std::vector<std::string>& loaded_files,
                                          const std::filesystem::path& own_folder);

}  // namespace lapscope::cupti
