#include "analyzer/model/names.h"

#include <algorithm>
#include <utility>

#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer {

void Names::add(std::int64_t id, std::string text) {
  const auto index = static_cast<std::uint32_t>(texts_.size());
  // A table of at most twice as many entries as there are names, or of a few pages.
  const auto reach = static_cast<std::int64_t>(2 * texts_.size() + 4096);
  if (0 <= id && id < reach) {
    if (dense_.size() <= static_cast<std::size_t>(id)) {
      dense_.resize(static_cast<std::size_t>(id) + 1);
    }
    dense_[static_cast<std::size_t>(id)] = index;
  } else {
    sparse_[id] = index;
  }
  texts_.push_back(std::move(text));
}

std::uint32_t Names::index_of(std::int64_t id) const {
  if (0 <= id && id < static_cast<std::int64_t>(dense_.size())) {
    const std::uint32_t index = dense_[static_cast<std::size_t>(id)];
    if (index != 0) return index;
  }
  if (sparse_.empty()) return 0;
  const auto found = sparse_.find(id);
  return found == sparse_.end() ? 0 : found->second;
}

const std::string& Names::text(std::uint32_t index) const {
  return index < texts_.size() ? texts_[index] : texts_[0];
}

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
