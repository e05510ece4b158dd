#include "analyzer/reader/cupti_releases.h"

#include <string>

namespace lapscope::analyzer {
namespace {

struct Defect {
  std::int64_t first;  // cuptiGetVersion of the first release that has it
  std::int64_t fixed;  // and of the first that has it no more
  Severity severity;
  const char* what;
};

// From the release notes of 12.3 and 13.3.
constexpr Defect defects[] = {
    {0, 21, Severity::info,
     "it does not tell of lazy loading: what the first launch of a kernel waits for is not known"},
    {130200, 130300, Severity::warning,
     "it slows calls down that are repeated often: host times may be longer than without"},
};

}  // namespace

void add_known_defects(std::int64_t cupti_version, std::vector<HealthRow>& health) {
  for (const Defect& defect : defects) {
    if (cupti_version < defect.first || defect.fixed <= cupti_version) continue;
    health.push_back(
        {"cupti-defect", defect.severity, 1,
         "CUPTI " + std::to_string(cupti_version) + " has a known defect: " + defect.what + ".",
         "Record with the libcupti of a newer CUDA (record --cupti)."});
  }
}

}  // namespace lapscope::analyzer
