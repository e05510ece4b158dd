#pragma once

#include <deque>
#include <future>
#include <ostream>
#include <string>
#include <string_view>

namespace lapscope::reports {

// Packets on their way into a file. The packets of a trace of more than one batch are deflated,
// batch by batch and by threads of their own, as Perfetto's recorder does on request: what reads
// its traces reads these. A smaller trace is written as it is, for programs that decode it
// themselves.
class PacketStream {
 public:
  static constexpr std::size_t batch_bytes = std::size_t{4} << 20U;

  explicit PacketStream(std::ostream& out) : out_(out) {}

  // With its tag and its length, as a trace has it. Throws what finish() does.
  void add(std::string_view packet);

  // Writes what is left; to be called at the end. Throws std::runtime_error when memory does not
  // suffice.
  void finish();

 private:
  void begin_batch();
  void write_first();

  std::ostream& out_;
  std::string batch_;
  std::deque<std::future<std::string>> deflating_;  // in the order of the file
  bool is_deflated_ = false;
};

}  // namespace lapscope::reports
