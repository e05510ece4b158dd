#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "collector/control/command_file.h"
#include "collector/control/control_lines.h"
#include "collector/control/control_socket.h"
#include "collector/inject/writer.h"
#include "collector/nvtx/iteration_counts.h"

namespace lapscope::inject {

// The thread of an armed process that carries out the commands of `lapscope ctl`. It sleeps until a
// command arrives, the duration of a capture is over, or an iteration begins that a capture waits
// for.
//
//   armed --start--> waiting for an iteration --it begins--> capturing --an end--> armed
class ControlThread {
 public:
  // The socket will be in `folder`. `writer` and `iterations` must live as long as the process.
  ControlThread(std::filesystem::path folder, Writer& writer, nvtx::IterationCounts& iterations);

  // Makes the socket and starts the thread. Throws std::system_error if that fails.
  void start();
  // Removes the socket. Call it at the end of the program. The thread may still answer a command
  // afterwards.
  void stop() noexcept;

 private:
  // Waits for the alarm of `iterations_`: the begin of the range with this name and number.
  struct Awaited {
    std::string range;
    std::int64_t number = 0;
  };

  void run();
  void answer(const control::Socket& caller);
  control::State obey(const control::Command& command);
  std::string refusal_of(control::Command& command);
  control::State start_capture(control::Command command);
  control::State begin_capture();
  void end_capture(const std::string& why);
  void await_iteration(const std::string& range, std::int64_t number);
  void take_alarm();
  void obey_file();
  control::State state();
  bool await_call();

  const std::filesystem::path folder_;
  const std::string name_;
  Writer& writer_;
  nvtx::IterationCounts& iterations_;
  control::Socket listening_;
  std::optional<control::CommandFile> file_;
  control::Socket alarm_;                   // an eventfd
  std::optional<control::Command> wanted_;  // the capture that waits for its first iteration
  control::Command running_;                // the capture that runs
  std::optional<Awaited> awaited_;
  std::optional<control::Clock::time_point> capture_end_;
  std::string
      problem_of_file_;  // why the last command of the file was refused; empty if it was not
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace lapscope::inject
