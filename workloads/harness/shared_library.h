#pragma once

#include <string>
#include <vector>

namespace lapscope::workloads {

// A library that is looked for at run time, so that the program starts without it. It stays loaded.
class SharedLibrary {
 public:
  // Takes the first of `files` that the loader finds, by itself or in a CUDA toolkit's library
  // folder
  // ($CUDA_HOME/lib64, /usr/local/cuda/lib64). Throws SkippedError, naming `what`, if there is
  // none.
  SharedLibrary(std::string what, const std::vector<std::string>& files);

  // The function `name` of the library. Throws SkippedError if it has none.
  //
  //   const auto create = blas.function<int (*)(void**)>("cublasCreate_v2");
  template <typename Pointer>
  Pointer function(const char* name) const {
    return reinterpret_cast<Pointer>(find(name));
  }

 private:
  void* find(const char* name) const;

  std::string what_;
  void* handle_ = nullptr;
};

}  // namespace lapscope::workloads
