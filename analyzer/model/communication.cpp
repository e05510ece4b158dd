#include "analyzer/model/communication.h"

#include <algorithm>

#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer {

std::vector<std::string> default_communication_patterns() { return {"nccl*", "nvshmem*"}; }

std::vector<bool> communication_names(const Names& names,
                                      const std::vector<std::string>& patterns) {
  std::vector<bool> result;
  for (std::uint32_t name = 0; name < names.size(); ++name) {
    result.push_back(std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return fits_pattern(names.text(name), pattern);
    }));
  }
  return result;
}

}  // namespace lapscope::analyzer
