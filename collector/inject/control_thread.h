#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "collector/control/control_lines.h"
#include "collector/control/control_socket.h"
#include "collector/inject/writer.h"

namespace lapscope::inject {

// The thread of an armed process that does what `lapscope ctl` asks for. It sleeps until a command
// arrives, or the time of a capture is over.
class ControlThread {
 public:
  // The writer lives as long as the process.
  ControlThread(std::filesystem::path folder, Writer& writer);

  // Throws std::system_error when there can be no socket or no thread.
  void start();
  // At the end of the program: the socket is gone. The thread may still be about to answer.
  void stop() noexcept;

 private:
  void run();
  void answer(const control::Socket& caller);
  control::State obey(const control::Command& command);
  bool await_call();

  const std::filesystem::path folder_;
  const std::string name_;
  Writer& writer_;
  control::Socket listening_;
  std::optional<control::Clock::time_point> capture_end_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace lapscope::inject
