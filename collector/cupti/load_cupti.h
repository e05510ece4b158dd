#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/cupti/cupti_api.h"

namespace lapscope::cupti {

// Where to look for libcupti when the process has none yet, best first: only `explicit_path` when
// it is given; else the folder of the collector library, the toolkits under $CUDA_HOME, $CUDA_PATH
// and /usr/local/cuda* (newest first), and the loader's own search path (LD_LIBRARY_PATH,
// ldconfig).
std::vector<std::string> library_candidates(const std::optional<std::string>& explicit_path,
                                            const std::filesystem::path& own_folder);

struct LoadResult {
  std::optional<CuptiApi> api;
  std::string problem;  // one sentence when api is empty
};

// Whether this libcupti can be trusted inside other people's programs. If not, `problem` says why.
bool is_usable(const CuptiApi& api, std::string& problem);

// Takes the libcupti that the process already has (PyTorch and JAX bring their own), because two
// copies in one process break each other; else the first candidate that has all required functions.
// A missing library is a result, not an exception.
LoadResult load_cupti(const std::optional<std::string>& explicit_path,
                      const std::filesystem::path& own_folder);

}  // namespace lapscope::cupti
