#include "collector/inject/own_library.h"

#include <dlfcn.h>

namespace lapscope::inject {

std::filesystem::path own_folder() {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<const void*>(&own_folder), &info) || !info.dli_fname) return {};
  return std::filesystem::path(info.dli_fname).parent_path();
}

}  // namespace lapscope::inject
