#include "collector/call_costs/twin.h"

#include <sched.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "collector/environment.h"

namespace lapscope::call_costs {
namespace {

constexpr const char* ended = "the program that calls without CUPTI has ended";

bool send(int socket, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = ::send(socket, at, bytes, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive(int socket, void* data, std::size_t bytes) {
  return bytes == 0 || ::recv(socket, data, bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes);
}

// The header of the reply to a turn. The times or the error text follow the header.
struct Answer {
  std::size_t times = 0;    // the number of times
  std::size_t problem = 0;  // the number of characters of the error text
};

std::vector<char*> environment_without_injection() {
  std::vector<char*> entries;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    if (name == environment::cuda_injection || name == environment::nvtx_injection) continue;
    entries.push_back(*entry);
  }
  entries.push_back(nullptr);
  return entries;
}

}  // namespace

Twin::Twin(std::vector<std::string> arguments) {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
    throw std::runtime_error("no socket can be made");
  }
  socket_ = sockets[0];
  arguments.push_back(std::to_string(sockets[1]));
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  auto variables = environment_without_injection();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  // Closes this end of the socket in the twin. Otherwise the twin would not notice the end of this
  // process.
  ::posix_spawn_file_actions_addclose(&actions, sockets[0]);
  const int failed =
      ::posix_spawn(&process_, "/proc/self/exe", &actions, nullptr, argv.data(), variables.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(sockets[1]);
  if (failed != 0) {
    ::close(socket_);
    throw std::runtime_error("the program cannot run itself without CUPTI");
  }
}

Twin::~Twin() {
  ::close(socket_);
  ::waitpid(process_, nullptr, 0);
}

void Twin::ask(int processor) {
  if (!send(socket_, &processor, sizeof processor)) throw std::runtime_error(ended);
}

std::vector<double> Twin::answer() {
  Answer answer;
  if (!receive(socket_, &answer, sizeof answer)) throw std::runtime_error(ended);
  std::vector<double> times(answer.times);
  std::string problem(answer.problem, ' ');
  if (!receive(socket_, times.data(), times.size() * sizeof(double)) ||
      !receive(socket_, problem.data(), problem.size())) {
    throw std::runtime_error(ended);
  }
  if (!problem.empty()) throw std::runtime_error(problem);
  return times;
}

void serve(int socket, const std::function<std::vector<double>(int)>& turn) {
  int processor = 0;
  while (receive(socket, &processor, sizeof processor)) {
    std::vector<double> times;
    std::string problem;
    try {
      times = turn(processor);
    } catch (const std::exception& error) {
      problem = error.what();
    }
    const Answer answer{times.size(), problem.size()};
    if (!send(socket, &answer, sizeof answer) ||
        !send(socket, times.data(), times.size() * sizeof(double)) ||
        !send(socket, problem.data(), problem.size())) {
      return;
    }
  }
}

void stay_on(int processor) {
  if (processor == anywhere) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(processor), &set);
  // A failure is harmless: the times only scatter more.
  (void)::sched_setaffinity(0, sizeof set, &set);
}

}  // namespace lapscope::call_costs
