#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace lapscope::xprof {

// A memory-mapped file. The operating system keeps in memory only the pages that are being read.
// Throws std::filesystem::filesystem_error.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file < 0 || ::fstat(file, &status) != 0) fail(path, file);
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ > 0) {
      memory_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (memory_ == MAP_FAILED) fail(path, file);
      ::madvise(memory_, size_, MADV_SEQUENTIAL);
    }
    ::close(file);
  }
  ~MappedFile() {
    if (size_ > 0) ::munmap(memory_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const { return {static_cast<const char*>(memory_), size_}; }

 private:
  [[noreturn]] static void fail(const std::filesystem::path& path, int file) {
    const std::error_code error(errno, std::generic_category());
    if (file >= 0) ::close(file);
    throw std::filesystem::filesystem_error("map", path, error);
  }

  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace lapscope::xprof
