#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "collector/control/control_lines.h"

// Commands to armed processes on several machines that share a file system. A socket reaches only
// the processes of one machine. A file in the folder of the sockets reaches all of them.
namespace lapscope::control {

// Makes an empty file if there is none. Without the empty file, a program on another machine could
// see the first command late. The reason is that NFS caches the absence of a file for up to a
// minute. Ignores errors.
void make_command_file(const std::filesystem::path& folder) noexcept;

// Replaces the file, so that every armed process reads the command. Throws std::system_error.
void write_command_file(const std::filesystem::path& folder, const Command& command);

// Removes the folder, and the file in it, if no process has a socket there.
void remove_unused(const std::filesystem::path& folder) noexcept;

// Reads the file each time it is called, and returns each command once. Does not return a command
// that was in the file before the first call, because it belongs to an earlier run.
class CommandFile {
 public:
  explicit CommandFile(const std::filesystem::path& folder);
  // Returns nothing if there is no new command, or one of another version of lapscope.
  std::optional<Command> next();

 private:
  std::string read() const;

  const std::filesystem::path path_;
  std::string last_;  // what was read last
};

}  // namespace lapscope::control
