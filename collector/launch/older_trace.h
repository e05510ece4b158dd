#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapscope::launch {

// Why no trace can be written to a path, as a sentence; empty when one can. Nothing is changed.
std::optional<std::string> refuse_output(const std::filesystem::path& output);

// An older trace at the output path, out of the way while the program is being started: gone for
// good once discard() is called, and back again otherwise. A path without a file is fine.
class SetAside {
 public:
  explicit SetAside(std::filesystem::path output);
  ~SetAside();
  SetAside(const SetAside&) = delete;
  SetAside& operator=(const SetAside&) = delete;
  void discard();

 private:
  std::filesystem::path output_;
  std::vector<std::string> suffixes_;  // of the files that were moved
};

}  // namespace lapscope::launch
