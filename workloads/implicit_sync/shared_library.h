#pragma once

#include <string>
#include <vector>

namespace lapscope::workloads::implicit_sync {

// A library that the program is not linked with, so that it also runs where there is none.
class SharedLibrary {
 public:
  // Opens the first of `names` that there is. Throws Unavailable if there is none.
  explicit SharedLibrary(const std::vector<std::string>& names);

  // Throws Unavailable, naming the function, if the library lacks it.
  template <typename Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(address_of(name));
  }

 private:
  void* address_of(const char* name) const;

  std::string name_;
  void* handle_ = nullptr;  // Never closed: the libraries of CUDA are made to stay.
};

}  // namespace lapscope::workloads::implicit_sync
