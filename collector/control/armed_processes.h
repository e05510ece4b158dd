#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/control/control_lines.h"

// The armed processes of this machine, as `lapscope ctl` sees them.
namespace lapscope::control {

// The folder of the sockets of what is recorded into a folder.
std::filesystem::path folder_beside(const std::filesystem::path& output_folder);

// The name of a process's socket: the name of its host and its process id. process_of() returns the
// process of a socket of this host.
std::string socket_name(const std::string& host, pid_t process);
std::optional<pid_t> process_of(const std::string& socket_name, const std::string& host);

// The folder that a process of this user has its socket in, by its environment. Nothing if the
// process was not started by `lapscope record --armed`, or is gone.
std::optional<std::filesystem::path> folder_of(pid_t process);

struct Answer {
  pid_t process = 0;
  std::optional<State> state;
  std::string problem;  // a sentence where there is no state
};

// Asks the armed processes of this host that have their sockets in the folder, all at once, or only
// one of them; by their numbers. Processes that have ended are passed over.
std::vector<Answer> ask(const std::filesystem::path& folder, const Command& command,
                        std::optional<pid_t> only = std::nullopt);

}  // namespace lapscope::control
