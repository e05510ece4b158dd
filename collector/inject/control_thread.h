#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "collector/control/control_commands.h"
#include "collector/control/control_socket.h"
#include "collector/inject/writer.h"
#include "collector/nvtx/iteration_counts.h"

namespace lapscope::inject {

// The thread of an armed process that carries out the commands of `lapscope ctl`. The thread wakes
// in these cases:
// - A command arrives.
// - The duration of a capture is over.
// - The iteration that a capture waits for begins or closes (the alarm).
// - A second has passed since it last read the command file.
//
//   armed --start--> waiting for an iteration --alarm--> capturing --an end--> armed
class ControlThread {
 public:
  // The socket will be in `folder`. `writer` and `iterations` must live as long as the process.
  // `has_ranges` is false if `iterations` counts nothing, because the program runs without NVTX.
  ControlThread(std::filesystem::path folder, Writer& writer, nvtx::IterationCounts& iterations,
                bool has_ranges);

  // Makes the socket and starts the thread. Throws std::system_error if that fails.
  void start();
  // Removes the socket. Must be called at the end of the program. After this call, the thread may
  // still answer a command.
  void stop() noexcept;

 private:
  void run();
  void answer(const control::Socket& caller);
  control::State obey(const control::Command& command);
  void obey_file();
  std::string refusal_of(control::Command& command);
  control::State start_capture(control::Command command);
  std::int64_t iterations_to_begin();
  control::State begin_capture();
  void end_capture(const std::string& why);
  void note_full_capture();
  void await(nvtx::IterationCounts::Alarm alarm);
  void take_alarm();
  void drain_alarm();
  control::State state();
  bool await_call();

  const std::filesystem::path folder_;
  const std::string name_;
  Writer& writer_;
  nvtx::IterationCounts& iterations_;
  const bool has_ranges_;
  control::Socket listening_;
  std::optional<control::CommandFile> file_;
  control::Socket alarm_;  // receives the message that the alarm sends through ring_
  control::Socket ring_;
  bool is_waiting_ = false;   // whether a capture waits for the alarm that begins it
  bool has_begun_ = false;    // whether a capture has begun that end_capture() has not ended
  control::Command running_;  // the command of the capture that waits or runs, or of the last one
  nvtx::IterationCounts::Alarm awaited_;  // the last alarm that was set
  std::optional<control::Clock::time_point> capture_end_;
  std::string refusal_of_file_;  // why the last command of the file was refused; empty if accepted
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace lapscope::inject
