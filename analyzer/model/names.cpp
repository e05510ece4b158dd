#include "analyzer/model/names.h"

#include <algorithm>
#include <utility>

#include "analyzer/model/harmless_text.h"
#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer {

void Names::add(std::int64_t id, std::string text) {
  if (store_.use_count() > 1) store_ = std::make_shared<Store>(*store_);
  auto& [texts, dense, sparse] = *store_;
  const auto index = static_cast<std::uint32_t>(texts.size());
  // Ids below `reach` go into a table. So the table has at most 2 entries for each name, plus 4096.
  const auto reach = static_cast<std::int64_t>(2 * texts.size() + 4096);
  if (0 <= id && id < reach) {
    if (dense.size() <= static_cast<std::size_t>(id)) {
      dense.resize(static_cast<std::size_t>(id) + 1);
    }
    dense[static_cast<std::size_t>(id)] = index;
  } else {
    sparse[id] = index;
  }
  texts.push_back(kept_name(std::move(text)));
}

std::uint32_t Names::index_of(std::int64_t id) const {
  const auto& [texts, dense, sparse] = *store_;
  if (0 <= id && id < static_cast<std::int64_t>(dense.size())) {
    const std::uint32_t index = dense[static_cast<std::size_t>(id)];
    if (index != 0) return index;
  }
  if (sparse.empty()) return 0;
  const auto found = sparse.find(id);
  return found == sparse.end() ? 0 : found->second;
}

const std::string& Names::text(std::uint32_t index) const {
  const std::vector<std::string>& texts = store_->texts;
  return index < texts.size() ? texts[index] : texts[0];
}

std::vector<std::string> default_communication_patterns() {
  return {"nccl*", "nvshmem*", "cross_device_reduce_*"};
}

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
