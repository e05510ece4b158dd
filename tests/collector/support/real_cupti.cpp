#include "tests/collector/support/real_cupti.h"

#include "collector/cupti/load_cupti.h"
#include "tests/catch.h"

namespace lapscope::test {
namespace {

cupti::LoadResult load() {
  const std::string library = LAPSCOPE_CUPTI_LIBRARY;
  return cupti::load_cupti(library.empty() ? std::nullopt : std::optional(library), {});
}

}  // namespace

const cupti::CuptiApi* real_cupti() {
  static const cupti::LoadResult loaded = load();
  if (loaded.api) return &*loaded.api;
  WARN("skipped: " << loaded.problem);
  return nullptr;
}

}  // namespace lapscope::test
