#include "tests/collector/support/real_cupti.h"

#include "collector/cupti/cupti_api.h"

namespace lapscope::test {
namespace {

const cupti::LoadResult& loaded() {
  static const std::string library = LAPSCOPE_CUPTI_LIBRARY;
  static const cupti::LoadResult result =
      cupti::load_cupti(library.empty() ? std::nullopt : std::optional(library), {});
  return result;
}

}  // namespace

const cupti::CuptiApi* real_cupti() { return loaded().api ? &*loaded().api : nullptr; }

const std::string& why_no_cupti() { return loaded().problem; }

}  // namespace lapscope::test
