#include "collector/decode/api_names.h"

#include <string>

namespace lapscope::decode {

std::int64_t ApiNames::id(CUpti_CallbackDomain domain, std::uint32_t cbid) {
  const std::uint64_t key = static_cast<std::uint64_t>(domain) << 32 | cbid;
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const char* name = nullptr;
  const bool found =
      cupti_.get_callback_name(domain, cbid, &name) == CUPTI_SUCCESS && name != nullptr;
  const std::int64_t id = trace_.intern(
      found ? std::string(name)
            : (domain == CUPTI_CB_DOMAIN_DRIVER_API ? "driver cbid " : "runtime cbid ") +
                  std::to_string(cbid));
  known_.emplace(key, id);
  return id;
}

}  // namespace lapscope::decode
