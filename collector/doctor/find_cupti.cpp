#include "collector/doctor/checks.h"

#ifdef LAPSCOPE_HAVE_CUDA

#include "collector/cupti/cupti_api.h"
#include "collector/launch/child_program.h"

lapscope::doctor::FoundCupti lapscope::doctor::find_cupti(
    const std::optional<std::string>& explicit_path) {
  FoundCupti found;
  const auto own_folder = launch::find_collector().path.parent_path();
  const cupti::LoadResult loaded = cupti::load_cupti(explicit_path, own_folder);
  if (!loaded.api) {
    found.problem = loaded.problem;
    return found;
  }
  found.version = loaded.api->version;
  found.path = loaded.api->path;
  found.place = cupti::words(loaded.place);
  cupti::is_usable(*loaded.api, found.problem);
  return found;
}

#else

lapscope::doctor::FoundCupti lapscope::doctor::find_cupti(const std::optional<std::string>&) {
  return {std::nullopt, "", "",
          "this lapscope was built without the CUDA toolkit and cannot record"};
}

#endif
