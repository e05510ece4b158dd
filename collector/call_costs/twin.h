#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

// The same program once more, without what is injected into this one: both take turns, so that
// nothing but the recorder is different between what they find.
namespace lapscope::call_costs {

inline constexpr int anywhere = -1;  // a processor

class Twin {
 public:
  // Runs this program's file with `arguments`, the last of which is the socket for serve(). To be
  // called before anything calls into CUDA or NVTX. Throws std::runtime_error.
  explicit Twin(std::vector<std::string> arguments);
  ~Twin();
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;

  // Has it take a turn on a processor, and waits for what it has found. Both throw
  // std::runtime_error, with its reason, where it cannot.
  void ask(int processor);
  std::vector<double> answer();

 private:
  int socket_ = -1;
  pid_t process_ = -1;
};

// Called in the twin: takes a turn each time the other process asks for one, until that process
// ends. What `turn` throws is reported to it.
void serve(int socket, const std::function<std::vector<double>(int processor)>& turn);

// Keeps the calling thread there, if that is allowed: anywhere changes nothing.
void stay_on(int processor);

}  // namespace lapscope::call_costs
