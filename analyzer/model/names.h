#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapscope::analyzer {

// The texts of a trace: names of kernels, functions, ranges and threads. Each text is stored once,
// as kept_name() returns it. Columns hold indices of four bytes instead of texts. Copies of a Names
// object share the texts until a text is added to one of the copies.
class Names {
 public:
  // Adds a text under its id in the trace's StringIds.
  void add(std::int64_t id, std::string text);
  // Adds a text that has no id. Returns its index.
  std::uint32_t add(std::string text);
  // Returns the index of the text with this StringIds.id, or 0, which is the index of "".
  std::uint32_t index_of(std::int64_t id) const;
  const std::string& text(std::uint32_t index) const;
  std::size_t size() const { return store_->texts.size(); }  // indices are below this

 private:
  struct Store {
    std::vector<std::string> texts{""};
    std::vector<std::uint32_t> dense;  // by id, for small ids: most traces count up from 0
    std::unordered_map<std::int64_t, std::uint32_t> sparse;
  };
  std::shared_ptr<Store> store_ = std::make_shared<Store>();
};

// Returns patterns for kernels that communicate between GPUs. They match the kernels of NCCL,
// NVSHMEM and DeepEP, and the custom all-reduce of vLLM and SGLang. NCCL's kernels are called
// ncclKernel_… before release 2.19 and ncclDevKernel_… from then on. The kernel
// deep_ep::layout::get_dispatch_layout matches no pattern, because it does not communicate.
std::vector<std::string> default_communication_patterns();

// Returns the name of a kernel with its namespaces, such as "deep_ep::intranode::dispatch", if a
// pattern fits this name but no pattern fits the name without namespaces. Otherwise returns "".
std::string communicating_name(const std::string& demangled,
                               const std::vector<std::string>& patterns);

// Returns, for each index in `names`, whether kernels of this name communicate.
std::vector<bool> communication_names(const Names& names, const std::vector<std::string>& patterns);

// `communication` is a result of communication_names(). If it is empty, no kernel communicates.
inline bool communicates(const std::vector<bool>& communication, std::uint32_t name) {
  return name < communication.size() && communication[name];
}

}  // namespace lapscope::analyzer
