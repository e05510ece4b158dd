#include "collector/launch/collector_library.h"

#include <cstdlib>

#include "collector/environment.h"

namespace lapscope::launch {

CollectorLibrary find_collector() {
  namespace fs = std::filesystem;
  std::error_code error;
  if (const char* chosen = std::getenv(environment::collector); chosen && *chosen) {
    if (fs::is_regular_file(chosen, error)) return {fs::absolute(chosen), {}};
    return {{}, std::string(environment::collector) + " names '" + chosen + "', which is no file."};
  }
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  const fs::path beside =
      (command.parent_path() / LAPSCOPE_COLLECTOR_FROM_BINDIR).lexically_normal();
  if (fs::is_regular_file(beside, error)) return {beside, {}};
  return {
      {},
      "the collector library is missing ('" + beside.string() +
          "'): this lapscope was built without a CUDA toolkit. It can analyze traces; to record, "
          "build it where a toolkit is installed."};
}

}  // namespace lapscope::launch
