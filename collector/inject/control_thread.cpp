#include "collector/inject/control_thread.h"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "collector/control/armed_processes.h"
#include "collector/process/signals_blocked.h"
#include "collector/trace/output_name.h"

namespace lapscope::inject {
namespace {

using control::Clock;

// How long to wait for the line of a client. Clients send the line at once. A client that sends
// none must not keep other clients waiting.
constexpr std::chrono::seconds patience(1);

}  // namespace

ControlThread::ControlThread(std::filesystem::path folder, Writer& writer)
    : folder_(std::move(folder)),
      name_(control::socket_name(trace::host_name(), ::getpid())),
      writer_(writer) {}

void ControlThread::start() {
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

// Waits until a client connects, and returns true. Returns false if the duration of the capture
// ends before that, or if a signal interrupts the wait. During a capture that has a duration, the
// wait takes at most an hour.
bool ControlThread::await_call() {
  int timeout = -1;
  if (capture_end_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*capture_end_ - Clock::now());
    timeout = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 3'600'000));
  }
  pollfd wanted{listening_.descriptor(), POLLIN, 0};
  return ::poll(&wanted, 1, timeout) > 0;
}

void ControlThread::run() {
  while (!stopping_) {
    const bool is_called = await_call();
    if (capture_end_ && Clock::now() >= *capture_end_) {
      writer_.end_capture("duration");
      capture_end_.reset();
    }
    if (!is_called) continue;
    const control::Socket caller = control::accept_on(listening_);
    if (caller) answer(caller);
  }
}

void ControlThread::answer(const control::Socket& caller) {
  const auto line = control::read_line(caller, Clock::now() + patience);
  const auto command = line ? control::command_of(*line) : std::nullopt;
  if (!command) return;  // a client of another version: it reports that there is no answer
  control::write_line(caller, control::line_of(obey(*command)), Clock::now() + patience);
}

control::State ControlThread::obey(const control::Command& command) {
  using Verb = control::Command::Verb;
  control::State state = writer_.capture_state();
  if (command.verb == Verb::status) return state;
  if (command.verb == Verb::start && state.is_capturing) {
    state.problem = "a capture runs already.";
    return state;
  }
  capture_end_.reset();
  if (command.verb == Verb::stop) return writer_.end_capture("lapscope ctl");
  state = writer_.begin_capture();
  if (command.duration) capture_end_ = Clock::now() + *command.duration;
  return state;
}

}  // namespace lapscope::inject
