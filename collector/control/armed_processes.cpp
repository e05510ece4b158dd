#include "collector/control/armed_processes.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <future>
#include <iterator>
#include <system_error>

#include "collector/control/control_socket.h"
#include "collector/environment.h"
#include "collector/trace/output_name.h"

namespace lapscope::control {
namespace {

namespace fs = std::filesystem;

// The longest wait for an answer. The last flush of a capture may take some seconds if it writes
// many records.
constexpr std::chrono::seconds patience(30);

std::nullopt_t forget(const fs::path& socket) {
  std::error_code ignored;
  fs::remove(socket, ignored);
  return std::nullopt;
}

// Returns the answer of one process. If the process has ended, removes its socket and returns
// nothing.
std::optional<Answer> ask_one(const fs::path& folder, const std::string& socket, pid_t process,
                              const Command& command) {
  Answer answer{process, std::nullopt, ""};
  const auto until = Clock::now() + patience;
  try {
    const Socket connected = connect_to(folder, socket);
    if (has_listener_ended(connected)) return forget(folder / socket);
    std::optional<std::string> line;
    if (write_line(connected, line_of(command), until)) line = read_line(connected, until);
    if (line) answer.state = state_of(*line);
    if (!line) {
      answer.problem = "it does not answer: it may be stopped, or at its end.";
    } else if (!answer.state) {
      answer.problem = "it has another version of lapscope.";
    }
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::connection_refused) return forget(folder / socket);
    answer.problem = std::string(error.what()) + ".";
  }
  return answer;
}

}  // namespace

fs::path folder_beside(const fs::path& output_folder) { return output_folder / ".lapscope"; }

std::string socket_name(const std::string& host, pid_t process) {
  return host.substr(0, 64) + "." + std::to_string(process);
}

std::optional<pid_t> process_of(const std::string& socket_name, const std::string& host) {
  const std::string begin = host.substr(0, 64) + ".";
  if (!socket_name.starts_with(begin)) return std::nullopt;
  pid_t process = 0;
  const char* const last = socket_name.data() + socket_name.size();
  const auto [end, error] = std::from_chars(socket_name.data() + begin.size(), last, process);
  if (error != std::errc{} || end != last || process <= 0) return std::nullopt;
  return process;
}

std::optional<fs::path> folder_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/environ", std::ios::binary);
  for (std::string variable; std::getline(file, variable, '\0');) {
    const std::size_t end = variable.find('=');
    if (end == std::string::npos || variable.compare(0, end, environment::control) != 0) continue;
    return fs::path(variable.c_str() + end + 1);
  }
  return std::nullopt;
}

std::vector<Answer> ask(const fs::path& folder, const Command& command, std::optional<pid_t> only) {
  const std::string host = trace::host_name();
  std::vector<std::future<std::optional<Answer>>> asked;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    const auto process = process_of(name, host);
    if (!process || (only && *only != *process)) continue;
    asked.push_back(
        std::async(std::launch::async, ask_one, folder, name, *process, std::cref(command)));
  }
  std::vector<Answer> answers;
  for (auto& one : asked) {
    if (auto answer = one.get()) answers.push_back(std::move(*answer));
  }
  std::ranges::sort(answers, {}, &Answer::process);
  return answers;
}

}  // namespace lapscope::control
