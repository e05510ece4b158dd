#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::test {

// A new folder for one test. The destructor removes it with all its contents.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  // Returns the names of its files, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view content);
// Writes an executable shell script.
void write_script(const std::filesystem::path& path, std::string_view body);

}  // namespace lapscope::test
