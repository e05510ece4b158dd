#include "analyzer/model/names.h"

#include <utility>

#include "analyzer/model/code_owner.h"
#include "analyzer/model/harmless_text.h"
#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer {

void Names::add(std::int64_t id, std::string text) {
  const std::uint32_t index = add(std::move(text));
  auto& [texts, dense, sparse] = *store_;
  // Ids below `reach` go into a table. So the table has at most 2 entries for each name, plus 4096.
  const std::int64_t reach = 2 * std::int64_t{index} + 4096;
  if (0 <= id && id < reach) {
    if (dense.size() <= static_cast<std::size_t>(id)) {
      dense.resize(static_cast<std::size_t>(id) + 1);
    }
    dense[static_cast<std::size_t>(id)] = index;
  } else {
    sparse[id] = index;
  }
}

std::uint32_t Names::add(std::string text) {
  if (store_.use_count() > 1) store_ = std::make_shared<Store>(*store_);
  store_->texts.push_back(kept_name(std::move(text)));
  return static_cast<std::uint32_t>(store_->texts.size() - 1);
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
  return {"nccl*", "nvshmem*", "cross_device_reduce_*", "*deep_ep::*intranode::*",
          "*deep_ep::*internode*"};
}

std::string communicating_name(const std::string& demangled,
                               const std::vector<std::string>& patterns) {
  if (demangled.find("::") == std::string::npos) return "";
  std::string name = bare_function(demangled);
  const std::string_view last = std::string_view(name).substr(name.rfind(':') + 1);
  return fits_any(name, patterns) && !fits_any(last, patterns) ? name : "";
}

std::vector<bool> communication_names(const Names& names,
                                      const std::vector<std::string>& patterns) {
  std::vector<bool> result;
  for (std::uint32_t name = 0; name < names.size(); ++name) {
    result.push_back(fits_any(names.text(name), patterns));
  }
  return result;
}

}  // namespace lapscope::analyzer
