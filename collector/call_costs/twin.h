#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

// A second process of the same program, but without the injected collector. Both processes take
// turns, so that only the recorder makes their times differ.
namespace lapscope::call_costs {

inline constexpr int anywhere = -1;  // any processor

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

// Runs in the twin. Calls `turn` at each request of the other process, until that process ends.
// Replies with the times, or with the text of the exception from `turn`.
void serve(int socket, const std::function<std::vector<double>(int processor)>& turn);

// Binds the calling thread to `processor`, if the system allows it. Does nothing if `processor` is
// `anywhere`.
void stay_on(int processor);

}  // namespace lapscope::call_costs
