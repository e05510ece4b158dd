// Measures how long CUDA calls take on this machine, without CUPTI and with recording. A
// calibration (collector/launch/recorder_calibration.h) records this program. The program starts a
// second process of itself, which is not recorded. Both processes take turns on one processor.
//
//   lapscope_call_costs FILE ROUNDS_MS LONGEST_MS
//
// Rounds are repeated for ROUNDS_MS. Each round writes a line to FILE for each kind of call
// (collector/schema/call_cost_kinds.h), such as `launch 2713.4 3702.1`: the time without CUPTI and
// with recording, in ns. On failure, the program writes a line `error` with the reason. A timer
// ends it after LONGEST_MS, in case the driver hangs.

#include <sched.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "collector/call_costs/timed_calls.h"
#include "collector/environment.h"

namespace {

using lapscope::call_costs::Calls;
using lapscope::call_costs::Time;

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int anywhere = -1;  // any processor

// A second process of the same program, but without the injected collector. Both processes take
// turns, so that only the recorder makes their times differ.
class Twin {
 public:
  // Starts this executable again with `arguments`, followed by the descriptor of the socket for
  // serve(). Call the constructor before any call of CUDA or NVTX. Throws std::runtime_error.
  explicit Twin(std::vector<std::string> arguments);
  ~Twin();
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;

  // ask() makes the twin take a turn on a processor. answer() waits for the turn and returns its
  // times in ns. Both throw std::runtime_error if the twin has ended. If the turn failed, answer()
  // throws std::runtime_error with the error text of the turn.
  void ask(int processor);
  std::vector<double> answer();

 private:
  int socket_ = -1;
  pid_t process_ = -1;
};

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
    if (name == lapscope::environment::cuda_injection ||
        name == lapscope::environment::nvtx_injection) {
      continue;
    }
    entries.push_back(*entry);
  }
  entries.push_back(nullptr);
  return entries;
}

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

// Runs in the twin. Calls `turn` at each request of the other process, until that process ends.
// Replies with the times, or with the text of the exception from `turn`.
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

// Binds the calling thread to `processor`, if the system allows it. Does nothing if `processor` is
// `anywhere`.
void stay_on(int processor) {
  if (processor == anywhere) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(processor), &set);
  // A failure is harmless: the times only scatter more.
  (void)::sched_setaffinity(0, sizeof set, &set);
}

milliseconds milliseconds_of(const char* text) {
  return milliseconds(std::strtol(text, nullptr, 10));
}

void end_after(milliseconds longest) {
  const std::chrono::microseconds all = longest;
  constexpr std::int64_t second = 1'000'000;
  const itimerval timer{{}, {all.count() / second, all.count() % second}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

// The turns of one process. Each turn times all kinds of calls. The first turn also initializes
// CUDA. If the initialization fails, the turn reports the error.
class Turns {
 public:
  std::vector<Time> take(int processor) {
    stay_on(processor);
    if (!calls_) {
      if (const cudaError_t failed = cudaSetDevice(0); failed != cudaSuccess) {
        throw std::runtime_error(cudaGetErrorString(failed));
      }
      calls_.emplace();
    }
    return calls_->turn();
  }

 private:
  std::optional<Calls> calls_;
};

struct Round {
  std::vector<Time> recorded;
  std::vector<double> bare;
};

class Rounds {
 public:
  // Call start() before next().
  explicit Rounds(Twin& twin) : twin_(twin) {}

  // Initializes CUDA in both processes at the same time, because this takes longer than all rounds
  // together.
  void start() {
    twin_.ask(anywhere);
    turns_.take(anywhere);
    twin_.answer();
    processor_ = ::sched_getcpu();
  }

  Round next() {
    Round round;
    twin_.ask(processor_);
    round.bare = twin_.answer();
    round.recorded = turns_.take(processor_);
    if (round.bare.size() != round.recorded.size()) {
      throw std::runtime_error("the program that calls without CUPTI is another one");
    }
    return round;
  }

 private:
  Twin& twin_;
  Turns turns_;
  int processor_ = anywhere;
};

// Returns whether calls no longer get faster from round to round. Compares only the first kind of
// call. A decrease of less than 5 % is noise.
bool has_settled(const Round& before, const Round& now) {
  constexpr double still_falling = 0.95;
  return now.bare.front() > still_falling * before.bare.front() &&
         now.recorded.front().ns > still_falling * before.recorded.front().ns;
}

// Runs rounds of calls for `length`, or until `latest` if that is earlier. Writes the times of the
// calls to `out`. Warm-up rounds come first. They take at most a quarter of `length`, and their
// times are not written.
void time_calls(Twin& twin, milliseconds length, Clock::time_point latest, std::FILE* out) {
  Rounds rounds(twin);
  rounds.start();
  const auto begin = Clock::now();
  const auto until = std::min(begin + length, latest);
  Round last = rounds.next();
  while (Clock::now() < begin + length / 4) {
    Round now = rounds.next();
    const bool is_settled = has_settled(last, now);
    last = std::move(now);
    if (is_settled) break;
  }
  do {
    const Round round = rounds.next();
    for (std::size_t i = 0; i < round.bare.size(); ++i) {
      const Time& time = round.recorded[i];
      std::fprintf(out, "%.*s %.1f %.1f\n", static_cast<int>(time.kind.size()), time.kind.data(),
                   round.bare[i], time.ns);
    }
  } while (Clock::now() < until);
}

const std::string twins_name = "--twin";

std::vector<double> numbers(const std::vector<Time>& times) {
  std::vector<double> result;
  for (const Time& time : times) result.push_back(time.ns);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: lapscope_call_costs FILE ROUNDS_MS LONGEST_MS\n");
    return 2;
  }
  if (argv[1] == twins_name) {
    end_after(milliseconds_of(argv[2]));
    Turns turns;
    serve(std::atoi(argv[3]), [&turns](int processor) { return numbers(turns.take(processor)); });
    return 0;
  }
  const milliseconds longest = milliseconds_of(argv[3]);
  end_after(longest);
  constexpr milliseconds ending{400};  // the time that a recorded process needs to exit
  const auto latest = Clock::now() + longest - ending;
  std::FILE* out = std::fopen(argv[1], "w");
  if (!out) return 2;
  try {
    Twin twin({argv[0], twins_name, argv[3]});
    time_calls(twin, milliseconds_of(argv[2]), latest, out);
  } catch (const std::exception& error) {
    std::fprintf(out, "error %s\n", error.what());
    return std::fclose(out) == 0 ? 1 : 2;
  }
  return std::fclose(out) == 0 ? 0 : 2;
}
