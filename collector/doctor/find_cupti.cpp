#include "collector/cupti/cupti_api.h"
#include "collector/doctor/checks.h"
#include "collector/launch/program.h"

namespace lapscope::doctor {

FoundCupti find_cupti(const std::optional<std::string>& explicit_path) {
  FoundCupti found;
  const auto own_folder = launch::find_collector().path.parent_path();
  const cupti::LoadResult loaded = cupti::load_cupti(explicit_path, own_folder);
  if (!loaded.api) {
    found.problem = loaded.problem;
    return found;
  }
  found.version = loaded.api->version;
  found.path = loaded.api->path;
  cupti::is_usable(*loaded.api, found.problem);
  return found;
}

}  // namespace lapscope::doctor
