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

// The thread of an armed process that carries out the commands of `lapscope ctl`. It sleeps until a
// command arrives, or the duration of a capture is over.
class ControlThread {
 public:
  // The socket will be in `folder`. `writer` must live as long as the process.
  ControlThread(std::filesystem::path folder, Writer& writer);

  // Makes the socket and starts the thread. Throws std::system_error if that fails.
  void start();
  // Removes the socket. Call it at the end of the program. The thread may still answer a command
  // afterwards.
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
