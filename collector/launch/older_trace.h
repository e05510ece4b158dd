#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapscope::launch {

// Returns a sentence with the reason if no trace can be written to a path. Returns nothing if a
// trace can be written. Changes no files.
std::optional<std::string> refuse_output(const std::filesystem::path& output);

// Renames an older trace at the output path while the program is being started. discard() deletes
// the renamed trace. If discard() was not called, the destructor gives the trace its old name back.
// The new name contains `session`, the id of the recording, so no other file has it.
class SetAside {
 public:
  SetAside(std::filesystem::path output, const std::string& session);
  ~SetAside();
  SetAside(const SetAside&) = delete;
  SetAside& operator=(const SetAside&) = delete;
  void discard();

 private:
  std::filesystem::path output_;
  std::string aside_;                  // added to the names of moved files
  std::vector<std::string> suffixes_;  // of the files that were moved
};

}  // namespace lapscope::launch
