#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapscope::launch {

// Returns a sentence that says why no trace can be written to a path. Returns nothing if a trace
// can be written. Changes no files.
std::optional<std::string> refuse_output(const std::filesystem::path& output);

// Renames an older trace at the output path while the program is being started. discard() deletes
// the renamed trace. If discard() was not called, the destructor gives the trace its old name back.
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
