#include "workloads/implicit_sync/shared_library.h"

#include <dlfcn.h>

#include "workloads/implicit_sync/call.h"

namespace lapscope::workloads::implicit_sync {

SharedLibrary::SharedLibrary(const std::vector<std::string>& names) {
  for (const auto& name : names) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    name_ = name;
    if (handle_ != nullptr) return;
  }
  throw Unavailable("could not load " + names.front() + ": it is not on this machine");
}

void* SharedLibrary::address_of(const char* name) const {
  void* const address = dlsym(handle_, name);
  if (address == nullptr) throw Unavailable(name_ + " has no function " + name);
  return address;
}

}  // namespace lapscope::workloads::implicit_sync
