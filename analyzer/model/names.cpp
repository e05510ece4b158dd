#include "analyzer/model/names.h"

#include <utility>

namespace lapscope::analyzer {

void Names::add(std::int64_t id, std::string text) {
  by_id_[id] = static_cast<std::uint32_t>(texts_.size());
  texts_.push_back(std::move(text));
}

std::uint32_t Names::index_of(std::int64_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? 0 : found->second;
}

const std::string& Names::text(std::uint32_t index) const {
  return index < texts_.size() ? texts_[index] : texts_[0];
}

}  // namespace lapscope::analyzer
