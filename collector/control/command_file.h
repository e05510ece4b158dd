#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "collector/control/control_lines.h"

// Commands to armed processes on several machines that share a file system. A socket reaches only
// the processes of one machine. The command file is in the folder of the sockets, and reaches the
// processes of all machines.
namespace lapscope::control {

// Makes an empty command file if there is none. NFS may hide a new file from other machines for up
// to a minute. Without the empty file, a program on another machine could see the first command
// late. Ignores errors.
void make_command_file(const std::filesystem::path& folder) noexcept;

// Replaces the file, so that every armed process reads the command. Throws std::system_error.
void write_command_file(const std::filesystem::path& folder, const Command& command);

// Removes the folder and the file in it if no process has a socket in the folder.
void remove_unused(const std::filesystem::path& folder) noexcept;

// Reads commands from the command file. next() returns each command once. Ignores a command that is
// in the file when this object is made, because it belongs to an earlier run.
class CommandFile {
 public:
  explicit CommandFile(const std::filesystem::path& folder);
  // Reads the file. Returns nothing if there is no new command, or if command_of() does not
  // understand the command.
  std::optional<Command> next();

 private:
  std::string read() const;

  const std::filesystem::path path_;
  std::string last_;  // what was read last
};

}  // namespace lapscope::control
