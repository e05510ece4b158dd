#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapscope::analyzer {

// Every text of the trace once (kernels, functions, ranges, threads), so that columns hold four
// bytes; what is kept of it (kept_name()). Copies share the texts until one of them gets more.
class Names {
 public:
  // The index of a text, given the id that the trace's StringIds has for it.
  void add(std::int64_t id, std::string text);
  // The index for a StringIds.id; the index of "" when the trace has no such id.
  std::uint32_t index_of(std::int64_t id) const;
  const std::string& text(std::uint32_t index) const;
  std::size_t size() const { return store_->texts.size(); }  // indices are below this

 private:
  struct Store {
    std::vector<std::string> texts{""};
    std::vector<std::uint32_t> dense;  // by id, as far as ids count up from 0, as they mostly do
    std::unordered_map<std::int64_t, std::uint32_t> sparse;
  };
  std::shared_ptr<Store> store_ = std::make_shared<Store>();
};

// Names of kernels that communicate between GPUs, with * for any characters: NCCL's and NVSHMEM's.
// NCCL's were called ncclKernel_… before 2.19 and ncclDevKernel_… since.
std::vector<std::string> default_communication_patterns();

// By index in `names`: whether a kernel of this name communicates.
std::vector<bool> communication_names(const Names& names, const std::vector<std::string>& patterns);

}  // namespace lapscope::analyzer
