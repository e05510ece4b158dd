#include "workloads/harness/cuda_check.h"

#include <stdexcept>
#include <string>

namespace lapscope::workloads {
namespace {

// The path inside the repository, whatever directory the build ran in.
std::string_view short_path(std::string_view path) {
  const auto start = path.rfind("workloads/");
  return start == std::string_view::npos ? path : path.substr(start);
}

}  // namespace

void check(cudaError_t error, std::string_view action, std::source_location where) {
  if (error == cudaSuccess) return;
  std::string message = "could not ";
  message.append(action).append(": ").append(cudaGetErrorString(error));
  message.append(" (").append(cudaGetErrorName(error)).append("), at ");
  message.append(short_path(where.file_name())).append(":").append(std::to_string(where.line()));
  throw std::runtime_error(message);
}

}  // namespace lapscope::workloads
