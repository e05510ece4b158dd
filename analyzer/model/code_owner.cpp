#include "analyzer/model/code_owner.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer {
namespace {

// Patterns for the names of files, without folders.
constexpr std::array<std::string_view, 38> runtime_modules = {
    "libcuda.so*", "libcuda-*",   "libcudart*",     "libcublas*",   "libcudnn*",
    "libcufft*",   "libcurand*",  "libcusparse*",   "libcusolver*", "libcutensor*",
    "libcutlass*", "libnccl*",    "libnvshmem*",    "libnvrtc*",    "libnvJitLink*",
    "libnvidia-*", "libnpp*",     "libnvToolsExt*", "libcupti*",    "liblapscope*",
    "libtorch*",   "libc10*",     "libpython*",     "python",       "python2*",
    "python3*",    "libc.so*",    "libc-2*",        "libpthread*",  "libstdc++*",
    "libgcc_s*",   "ld-linux*",   "libgomp*",       "[vdso]",       "libToolsInjection*",
    "[kernel*",    system_module, builtin_module};

// Patterns for the names of functions, without parameters and template arguments.
constexpr std::array<std::string_view, 24> runtime_functions = {
    "__cuda*",  "libcudart_static_*", "cudart::*",    "cublas*", "cudnn*", "cufft*",
    "curand*",  "cusparse*",          "cusolver*",    "nccl*",   "at::*",  "c10::*",
    "torch::*", "thrust::*",          "cub::*",       "cuda::*", "std::*", "__gnu_cxx::*",
    "_start",   "__libc_start*",      "start_thread", "clone",   "clone3", "_dl_*"};

// Patterns for source files. PyTorch's profiler omits the folder of the package, as in "torch/...".
constexpr std::array<std::string_view, 8> runtime_files = {
    "*.cudafe1.stub.c",        "*/site-packages/torch/*",
    "*/dist-packages/torch/*", "*/crt/*_functions.h",
    "*/cuda_runtime.h",        "<frozen *",
    "*/torch/csrc/*",          "torch/*"};

constexpr std::array<std::string_view, 11> library_files = {"/usr/include/*",
                                                            "/usr/lib/*",
                                                            "/usr/local/include/*",
                                                            "/usr/local/lib/*",
                                                            "/usr/local/cuda*",
                                                            "/opt/nvidia/*",
                                                            "*/site-packages/*",
                                                            "*/dist-packages/*",
                                                            "*/lib/python3.*",
                                                            "*/include/c++/*",
                                                            "/lib/*"};

// Whether a function belongs to the CUDA API, such as cudaLaunchKernel and cuLaunchKernel. These
// functions can be linked into the program's own file.
bool is_cuda_api(std::string_view function) {
  for (const std::string_view prefix : {"cuda", "cu"}) {
    if (!function.starts_with(prefix) || function.size() <= prefix.size()) continue;
    if (std::isupper(static_cast<unsigned char>(function[prefix.size()])) != 0) {
      return function.find(':') == std::string_view::npos;
    }
  }
  return false;
}

}  // namespace

bool is_launch_stub(std::string_view function) {
  return function.starts_with("__device_stub__") || function.starts_with("__wrapper__device_stub_");
}

std::string_view name_of(CodeOwner owner) {
  constexpr std::string_view names[] = {"program", "library", "runtime"};
  static_assert(std::size(names) == static_cast<std::size_t>(CodeOwner::runtime) + 1);
  return names[static_cast<std::size_t>(owner)];
}

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Returns the end of the operator, lambda or anonymous namespace whose name starts at `at`. Returns
// `at` if no such name starts there. bare_function() copies such a name as a whole.
std::size_t end_of_unit(std::string_view function, std::size_t at) {
  constexpr std::string_view nameless = "(anonymous namespace)";
  constexpr std::string_view keyword = "operator";
  const std::string_view rest = function.substr(at);
  if (rest.starts_with(nameless)) return at + nameless.size();
  if (rest.starts_with('{')) {
    const std::size_t end = function.find('}', at);
    return end == std::string_view::npos ? function.size() : end + 1;
  }
  std::size_t end = at + keyword.size();
  const bool is_inside = at > 0 && is_of_name(function[at - 1]);
  if (!rest.starts_with(keyword) || is_inside) return at;
  if (end < function.size() && is_of_name(function[end])) return at;
  if (function.substr(end).starts_with("()")) end += 2;
  return std::min(function.find('(', end), function.size());
}

}  // namespace

std::string bare_function(std::string_view function) {
  std::string bare;
  int angles = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    if (const std::size_t end = end_of_unit(function, i); end > i) {
      if (angles == 0) bare += function.substr(i, end - i);
      i = end - 1;
      continue;
    }
    const char c = function[i];
    if (c == '<') ++angles;
    if (angles == 0) {
      if (c == '(' || c == '[') break;
      if (function.substr(i).starts_with(" [")) break;
      // The text before a space is the return type.
      if (c == ' ') {
        bare.clear();
      } else {
        bare += c;
      }
    }
    if (c == '>' && angles > 0) --angles;
  }
  return bare.empty() ? std::string(function) : bare;
}

CodeOwner owner_of(std::string_view function, std::string_view module, std::string_view file) {
  if (module == operator_module) return CodeOwner::library;
  const bool is_python = module == python_module;
  if (!is_python && fits_any(file_name(module), runtime_modules)) return CodeOwner::runtime;
  if (fits_any(file, runtime_files)) return CodeOwner::runtime;
  if (!is_python) {
    const std::string bare = bare_function(function);
    if (is_launch_stub(bare) || is_cuda_api(bare) || fits_any(bare, runtime_functions)) {
      return CodeOwner::runtime;
    }
  }
  if (fits_any(file, library_files)) return CodeOwner::library;
  if (fits_any(module, library_files)) return CodeOwner::library;
  return CodeOwner::program;
}

}  // namespace lapscope::analyzer
