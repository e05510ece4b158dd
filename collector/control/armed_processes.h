#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/control/control_commands.h"

// Finds the armed processes of this machine for `lapscope ctl`, and talks to them. An armed process
// begins a capture when it receives a command.
namespace lapscope::control {

// Returns the folder with the sockets of the processes that record into `output_folder`.
std::filesystem::path folder_beside(const std::filesystem::path& output_folder);

// socket_name() returns the name of the socket of a process: the host's name and the process id.
// process_of() returns the process id in a socket's name; nothing if the name has another host.
std::string socket_name(const std::string& host, pid_t process);
std::optional<pid_t> process_of(const std::string& socket_name, const std::string& host);

// Returns the folder of a process's control socket, from the environment of the process. Returns
// nothing if `lapscope record --armed` did not start the process, or if the process has ended. The
// process must belong to this user.
std::optional<std::filesystem::path> folder_of(pid_t process);

struct Answer {
  pid_t process = 0;
  std::optional<State> state;
  std::string problem;  // a sentence if there is no state
};

// Sends a command, in parallel, to all armed processes of this host that have sockets in the
// folder. If `only` is given, sends the command only to the process `only`. Returns the answers,
// sorted by process id. Processes that have ended give no answer.
std::vector<Answer> ask(const std::filesystem::path& folder, const Command& command,
                        std::optional<pid_t> only = std::nullopt);

}  // namespace lapscope::control
