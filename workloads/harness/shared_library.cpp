#include "workloads/harness/shared_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <utility>

#include "workloads/harness/guard.h"

namespace lapscope::workloads {
namespace {

std::vector<std::string> folders() {
  std::vector<std::string> result = {""};
  if (const char* home = std::getenv("CUDA_HOME")) result.push_back(std::string(home) + "/lib64/");
  result.emplace_back("/usr/local/cuda/lib64/");
  return result;
}

}  // namespace

SharedLibrary::SharedLibrary(std::string what, const std::vector<std::string>& files)
    : what_(std::move(what)) {
  std::string names;
  for (const std::string& file : files) {
    for (const std::string& folder : folders()) {
      handle_ = dlopen((folder + file).c_str(), RTLD_NOW | RTLD_LOCAL);
      if (handle_ != nullptr) return;
    }
    names.append(names.empty() ? "" : " or ").append(file);
  }
  throw SkippedError("this needs " + what_ + ": install " + names +
                     ", or add its folder to LD_LIBRARY_PATH");
}

void* SharedLibrary::find(const char* name) const {
  void* const symbol = dlsym(handle_, name);
  if (symbol == nullptr) throw SkippedError(what_ + " of this machine has no function " + name);
  return symbol;
}

}  // namespace lapscope::workloads
