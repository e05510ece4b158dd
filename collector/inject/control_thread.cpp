#include "collector/inject/control_thread.h"

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "collector/control/armed_processes.h"
#include "collector/process/clock.h"
#include "collector/process/signals_blocked.h"
#include "collector/trace/output_name.h"

namespace lapscope::inject {
namespace {

using control::Clock;

// The longest wait for the line of a client. Clients send the line at once. A client that sends no
// line must not keep other clients waiting.
constexpr std::chrono::seconds patience(1);

constexpr std::chrono::milliseconds file_interval(1000);

}  // namespace

ControlThread::ControlThread(std::filesystem::path folder, Writer& writer,
                             nvtx::IterationCounts& iterations, bool has_ranges)
    : folder_(std::move(folder)),
      name_(control::socket_name(trace::host_name(), ::getpid())),
      writer_(writer),
      iterations_(iterations),
      has_ranges_(has_ranges) {}

void ControlThread::start() {
  file_.emplace(folder_);
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  alarm_ = control::Socket(pair[0]);
  ring_ = control::Socket(pair[1]);
  listening_ = control::listen_at(folder_, name_);
  const process::SignalsBlocked blocked(process::SignalsBlocked::Which::of_the_program);
  thread_ = std::thread([this] {
    ::pthread_setname_np(::pthread_self(), "lapscope-ctl");
    try {
      run();
    } catch (const std::exception&) {
      return;  // there is no memory: the program continues, but commands get no answers
    }
  });
  thread_.detach();  // it waits in poll() until the process is gone
}

void ControlThread::stop() noexcept {
  stopping_ = true;
  ::unlink((folder_ / name_).c_str());
}

// Waits for a client, for the alarm that begins or ends a capture, for the end of the capture's
// duration, or for the next reading of the command file. Returns whether a client has connected.
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
    note_full_capture();
    obey_file();
    if (!is_called) continue;
    const control::Socket caller = control::accept_on(listening_);
    if (caller) answer(caller);
  }
}

void ControlThread::answer(const control::Socket& caller) {
  const auto line = control::read_line(caller, Clock::now() + patience);
  const auto command = line ? control::command_of(*line) : std::nullopt;
  if (!command) return;  // a client of another version; it reports that it got no answer
  const control::State state = obey(*command);  // can take seconds
  control::write_line(caller, control::line_of(state), Clock::now() + patience);
}

// If the writer itself has ended a capture because the trace was full, ends the capture here, too.
// Without this function, the alarm or the duration of this capture would end a later capture.
void ControlThread::note_full_capture() {
  if (has_begun_ && !writer_.capture_state().is_capturing) end_capture("");
}

control::State ControlThread::obey(const control::Command& command) {
  note_full_capture();
  switch (command.verb) {
    case control::Command::Verb::start:
      return start_capture(command);
    case control::Command::Verb::stop:
      refusal_of_file_.clear();
      end_capture("lapscope ctl");
      return state();
    case control::Command::Verb::status:
      break;
  }
  return state();
}

void ControlThread::obey_file() {
  if (const auto command = file_->next()) refusal_of_file_ = obey(*command).refusal;
}

// Returns the reason why the capture cannot be started, as a sentence. Returns "" if it can be
// started. If the command uses iterations but names no range, sets command.iteration_range to the
// range of the outermost loop.
std::string ControlThread::refusal_of(control::Command& command) {
  if (writer_.capture_state().is_capturing) return "a capture runs already.";
  if (is_waiting_) return "a capture waits for its first iteration already: stop it first.";
  if (command.keep > control::most_kept) {
    return "at most " + std::to_string(control::most_kept.count()) + " s can be kept.";
  }
  if (!command.uses_iterations() && !command.until_range) return "";
  if (!has_ranges_) return "the program was started without NVTX ranges (--no-nvtx).";
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
         "' is already over or running: " + std::to_string(begun) + " have begun.";
}

control::State ControlThread::start_capture(control::Command command) {
  std::string refusal = refusal_of(command);
  if (!refusal.empty()) {
    control::State refused = state();
    refused.refusal = std::move(refusal);
    return refused;
  }
  refusal_of_file_.clear();
  capture_end_.reset();
  running_ = std::move(command);
  if (running_.iteration_range.empty()) {
    running_.iteration_range = iterations_.outermost_loop().value_or("");
  }
  using When = nvtx::IterationCounts::Alarm::When;
  is_waiting_ = running_.from || running_.waits_for_slow_iteration();
  if (running_.from) {
    await({When::begin, running_.iteration_range, *running_.from - iterations_to_begin()});
  } else if (is_waiting_) {
    await({When::slow, running_.iteration_range, 0, *running_.slower});
  } else {
    return begin_capture();
  }
  return state();
}

// A capture begins some iterations before the first requested iteration, because beginning a
// capture takes some milliseconds, and the requested iteration must be complete in the trace.
// Returns the number of these earlier iterations.
std::int64_t ControlThread::iterations_to_begin() {
  constexpr std::int64_t ns_to_begin = 20'000'000;
  std::vector<nvtx::IterationCounts::Iteration> timed = iterations_.timed(running_.iteration_range);
  if (timed.empty()) return 1;
  const auto middle = timed.begin() + static_cast<std::ptrdiff_t>(timed.size() / 2);
  std::ranges::nth_element(timed, middle, {}, &nvtx::IterationCounts::Iteration::ns);
  return 1 + ns_to_begin / std::max<std::int64_t>(middle->ns, 1);
}

control::State ControlThread::begin_capture() {
  using When = nvtx::IterationCounts::Alarm::When;
  const std::string& range = running_.iteration_range;
  is_waiting_ = false;
  // Stores the times of the iterations before the capture. Compared with the recorded iterations,
  // they show the time that recording adds. Stores no times in two cases:
  // - A slow iteration begins the capture: the recorded iterations are not typical.
  // - There was an earlier capture: after a capture, iterations are slower
  //   (research/collector-cost.md).
  std::vector<schema::UnrecordedIterationRow> unrecorded;
  if (!running_.waits_for_slow_iteration() && writer_.capture_state().captures == 0) {
    for (const auto& [number, ns] : iterations_.timed(range)) {
      unrecorded.push_back({range, number, ns});
    }
  }
  iterations_.time_from(nvtx::IterationCounts::never);
  const std::int64_t until =
      running_.until_range ? iterations_.begun(*running_.until_range) + 1 : 0;
  const control::State begun =
      writer_.begin_capture({std::move(unrecorded), running_.is_light, running_.keep});
  if (!begun.is_capturing) {
    iterations_.time_from(process::utc_ns());
    return begun;
  }
  has_begun_ = true;
  if (running_.duration) capture_end_ = Clock::now() + *running_.duration;
  if (running_.iterations) {
    // If there is no `from`, the capture has begun in the middle of an iteration. In this case, the
    // next iteration counts as the first iteration of the capture.
    const std::int64_t first = running_.from.value_or(iterations_.begun(range) + 1);
    await({When::close, range, first + *running_.iterations - 1});
  } else if (running_.until_range) {
    await({When::begin, *running_.until_range, until});
  } else if (running_.slower && running_.keep) {
    // From now on, all iterations are recorded, and recording makes them slower. So they are not
    // compared with earlier iterations.
    iterations_.time_from(process::utc_ns());
    await({When::slow, range, 0, *running_.slower});
  }
  return state();
}

void ControlThread::end_capture(const std::string& why) {
  const bool has_begun = std::exchange(has_begun_, false);
  is_waiting_ = false;
  capture_end_.reset();
  iterations_.clear_alarm();
  drain_alarm();
  writer_.end_capture(why);
  if (has_begun) iterations_.time_from(process::utc_ns());
}

void ControlThread::await(nvtx::IterationCounts::Alarm alarm) {
  alarm.socket = ring_.descriptor();
  awaited_ = alarm;
  iterations_.set_alarm(std::move(alarm));
}

void ControlThread::drain_alarm() {
  std::array<char, 16> bytes{};
  while (::recv(alarm_.descriptor(), bytes.data(), bytes.size(), MSG_DONTWAIT) > 0) continue;
}

void ControlThread::take_alarm() {
  drain_alarm();
  if (is_waiting_) {
    begin_capture();
  } else if (writer_.capture_state().is_capturing) {
    using When = nvtx::IterationCounts::Alarm::When;
    end_capture(awaited_.when == When::begin  ? "NVTX range " + awaited_.name
                : awaited_.when == When::slow ? "slow iteration"
                                              : "iterations");
  }
}

control::State ControlThread::state() {
  control::State state = writer_.capture_state();
  const std::string of_range = " of '" + awaited_.name + "'; ";
  const std::string have_begun = std::to_string(iterations_.begun(awaited_.name)) + " have begun";
  const bool is_kept = state.is_capturing && running_.keep;
  if (is_kept) state.note = "keeps the last " + std::to_string(running_.keep->count()) + " ms";
  if (running_.slower && (is_waiting_ || is_kept)) {
    state.note += (is_kept ? ", ends" : "begins") + (" after a slow iteration" + of_range) +
                  std::to_string(iterations_.timed(awaited_.name).size()) + " are compared";
  } else if (is_waiting_) {
    state.note = "begins with iteration " + std::to_string(*running_.from) + of_range + have_begun;
  } else if (state.is_capturing && running_.iterations) {
    state.note = "ends with iteration " + std::to_string(awaited_.count) + of_range + have_begun;
  } else if (state.is_capturing && running_.until_range) {
    state.note += (is_kept ? ", " : "") + ("ends when a range '" + awaited_.name) + "' begins";
  }
  if (!refusal_of_file_.empty()) {
    state.note += (state.note.empty() ? "" : "; ") +
                  ("the last command of the file was refused: " + refusal_of_file_);
  }
  return state;
}

}  // namespace lapscope::inject
