#include "readers/foreign/file_beginning.h"

#include <fstream>
#include <system_error>

namespace lapscope::analyzer {

namespace fs = std::filesystem;

bool has_bytes(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && fs::file_size(path, error) > 0 && !error;
}

std::string beginning_of(const fs::path& path, std::size_t most) {
  if (!has_bytes(path)) return {};
  std::string begin(most, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  return begin;
}

}  // namespace lapscope::analyzer
