#pragma once

#include <string>
#include <vector>

namespace lapscope::workloads {

// A library that is loaded at run time and never unloaded. The program also starts without it.
class SharedLibrary {
 public:
  // Loads the first of `files` that it finds: in the places of dlopen, then in a CUDA toolkit
  // ($CUDA_HOME/lib64 or /usr/local/cuda/lib64). Else throws SkippedError, which names `what`.
  SharedLibrary(std::string what, const std::vector<std::string>& files);

  // Returns the function `name` of the library, or throws SkippedError.
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
