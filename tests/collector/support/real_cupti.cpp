#include "tests/collector/support/real_cupti.h"

#include "tests/catch.h"

namespace lapscope::test {

const cupti::CuptiApi& real_cupti() {
  static const std::string library = LAPSCOPE_CUPTI_LIBRARY;
  static const cupti::LoadResult loaded =
      cupti::load_cupti(library.empty() ? std::nullopt : std::optional(library), {});
  if (!loaded.api) skip_because(loaded.problem);
  return *loaded.api;
}

}  // namespace lapscope::test
