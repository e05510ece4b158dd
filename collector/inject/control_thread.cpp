#include "collector/inject/control_thread.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "collector/control/armed_processes.h"
#include "collector/nvtx/thread_time.h"
#include "collector/process/signals_blocked.h"
#include "collector/trace/output_name.h"

namespace lapscope::inject {
namespace {

using control::Clock;

// How long to wait for the line of a client. Clients send the line at once. A client that sends
// none must not keep other clients waiting.
constexpr std::chrono::seconds patience(1);

// How often the command file is read.
constexpr std::chrono::milliseconds file_interval(1000);

}  // namespace

ControlThread::ControlThread(std::filesystem::path folder, Writer& writer,
                             nvtx::IterationCounts& iterations)
    : folder_(std::move(folder)),
      name_(control::socket_name(trace::host_name(), ::getpid())),
      writer_(writer),
      iterations_(iterations) {}

void ControlThread::start() {
  file_.emplace(folder_);
  alarm_ = control::Socket(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!alarm_) throw std::system_error(errno, std::generic_category(), "eventfd");
  listening_ = control::listen_at(folder_, name_);
  const process::SignalsBlocked blocked(process::SignalsBlocked::Which::of_the_program);
  thread_ = std::thread([this] {
    ::pthread_setname_np(::pthread_self(), "lapscope-ctl");
    try {
      run();
    } catch (const std::exception&) {
      return;  // no memory: the program goes on, without answers to commands
    }
  });
  thread_.detach();  // it waits in poll() until the process is gone
}

void ControlThread::stop() noexcept {
  stopping_ = true;
  ::unlink((folder_ / name_).c_str());
}

// Waits for a client, for the alarm of an iteration, or for the end of the capture's duration, but
// no longer than until the command file is to be read. Returns whether a client has connected.
bool ControlThread::await_call() {
  std::chrono::milliseconds wait = file_interval;
  if (capture_end_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*capture_end_ - Clock::now());
    wait = std::clamp(left, std::chrono::milliseconds(0), wait);
  }
  std::array<pollfd, 2> wanted{
      {{listening_.descriptor(), POLLIN, 0}, {alarm_.descriptor(), POLLIN, 0}}};
  if (::poll(wanted.data(), wanted.size(), static_cast<int>(wait.count())) <= 0) return false;
  if (wanted[1].revents != 0) take_alarm();
  return wanted[0].revents != 0;
}

void ControlThread::run() {
  while (!stopping_) {
    const bool is_called = await_call();
    if (capture_end_ && Clock::now() >= *capture_end_) end_capture("duration");
    obey_file();
    if (!is_called) continue;
    const control::Socket caller = control::accept_on(listening_);
    if (caller) answer(caller);
  }
}

void ControlThread::answer(const control::Socket& caller) {
  const auto line = control::read_line(caller, Clock::now() + patience);
  const auto command = line ? control::command_of(*line) : std::nullopt;
  if (!command) return;  // a client of another version: it reports that there is no answer
  const control::State state = obey(*command);  // can take seconds
  control::write_line(caller, control::line_of(state), Clock::now() + patience);
}

control::State ControlThread::obey(const control::Command& command) {
  if (command.verb != control::Command::Verb::status) problem_of_file_.clear();
  switch (command.verb) {
    case control::Command::Verb::start:
      return start_capture(command);
    case control::Command::Verb::stop:
      end_capture("lapscope ctl");
      return state();
    case control::Command::Verb::status:
      break;
  }
  return state();
}

void ControlThread::obey_file() {
  if (const auto command = file_->next()) problem_of_file_ = obey(*command).problem;
}

// Returns why the capture cannot be started, as a sentence; empty if it can. If the command counts
// iterations but names no range, puts the range of the outermost loop into it.
std::string ControlThread::refusal_of(control::Command& command) {
  if (writer_.capture_state().is_capturing) return "a capture runs already.";
  if (wanted_) return "a capture waits for its first iteration already: stop it first.";
  if (!command.uses_iterations()) return "";
  std::string& range = command.iteration_range;
  if (range.empty()) range = iterations_.outermost_loop().value_or("");
  if (range.empty()) {
    return "no NVTX range has begun twice, so it is not known what an iteration is: name the range "
           "(--range), or limit the time (--for).";
  }
  const std::int64_t begun = iterations_.begun(range);
  if (!command.from || begun < *command.from) return "";
  return "iteration " + std::to_string(*command.from) + " of '" + range +
         "' is too late to wait for: " + std::to_string(begun) + " have begun.";
}

control::State ControlThread::start_capture(control::Command command) {
  std::string refusal = refusal_of(command);
  if (!refusal.empty()) {
    control::State refused = state();
    refused.problem = std::move(refusal);
    return refused;
  }
  awaited_.reset();
  capture_end_.reset();
  running_ = std::move(command);
  // A capture takes about a millisecond to begin. It begins with the iteration before the first
  // one, so that the trace has all of the first one.
  if (running_.from.value_or(1) > 1) {
    wanted_ = running_;
    await_iteration(running_.iteration_range, *running_.from - 1);
    return state();
  }
  if (running_.slower) {
    wanted_ = running_;
    awaited_ = Awaited{running_.iteration_range, 0};
    iterations_.set_slow_alarm(running_.iteration_range, *running_.slower, alarm_.descriptor());
    return state();
  }
  return begin_capture();
}

control::State ControlThread::begin_capture() {
  wanted_.reset();
  awaited_.reset();
  if (running_.iteration_range.empty()) {
    running_.iteration_range = iterations_.outermost_loop().value_or("");
  }
  const std::string& range = running_.iteration_range;
  iterations_.pause_timing();
  std::vector<schema::UnrecordedIterationRow> unrecorded;
  for (const auto& [number, ns] : iterations_.unrecorded(range)) {
    unrecorded.push_back({range, number, ns});
  }
  const control::State begun = writer_.begin_capture(std::move(unrecorded));
  if (!begun.is_capturing) return begun;
  if (running_.duration) capture_end_ = Clock::now() + *running_.duration;
  if (running_.iterations) {
    // Without `from`, the iteration that has begun last is incomplete.
    const std::int64_t first = running_.from.value_or(iterations_.begun(range) + 1);
    await_iteration(range, first + *running_.iterations);
  } else if (running_.until_range) {
    await_iteration(*running_.until_range, iterations_.begun(*running_.until_range) + 1);
  }
  return state();
}

void ControlThread::end_capture(const std::string& why) {
  wanted_.reset();
  awaited_.reset();
  capture_end_.reset();
  iterations_.clear_alarm();
  std::uint64_t rung = 0;
  [[maybe_unused]] const ssize_t taken = ::read(alarm_.descriptor(), &rung, sizeof rung);
  writer_.end_capture(why);
  iterations_.resume_timing(nvtx::utc_ns());
}

void ControlThread::await_iteration(const std::string& range, std::int64_t number) {
  awaited_ = Awaited{range, number};
  iterations_.set_alarm(range, number, alarm_.descriptor());
}

void ControlThread::take_alarm() {
  std::uint64_t rung = 0;
  [[maybe_unused]] const ssize_t taken = ::read(alarm_.descriptor(), &rung, sizeof rung);
  if (wanted_) {
    begin_capture();
  } else if (awaited_) {
    end_capture(running_.iterations ? "iterations" : "NVTX range " + awaited_->range);
  }
}

control::State ControlThread::state() {
  control::State state = writer_.capture_state();
  if (state.problem.empty()) state.problem = problem_of_file_;
  if (!awaited_ || (!wanted_ && !state.is_capturing)) return state;
  if (!wanted_ && !running_.iterations) {
    state.waits_for = "ends when a range '" + awaited_->range + "' begins";
    return state;
  }
  if (wanted_ && wanted_->slower) {
    state.waits_for = "begins after a slow iteration of '" + awaited_->range + "'; " +
                      std::to_string(iterations_.unrecorded(awaited_->range).size()) +
                      " are compared";
    return state;
  }
  const std::int64_t number = wanted_ ? *wanted_->from : awaited_->number;
  state.waits_for = std::string(wanted_ ? "begins" : "ends") + " with iteration " +
                    std::to_string(number) + " of '" + awaited_->range + "'; " +
                    std::to_string(iterations_.begun(awaited_->range)) + " have begun";
  return state;
}

}  // namespace lapscope::inject
