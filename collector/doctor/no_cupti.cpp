#include "collector/doctor/checks.h"

namespace lapscope::doctor {

FoundCupti find_cupti(const std::optional<std::string>&) {
  return {std::nullopt, "", "this lapscope was built without the CUDA toolkit and cannot record"};
}

}  // namespace lapscope::doctor
