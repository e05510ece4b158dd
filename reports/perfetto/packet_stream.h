#pragma once

#include <deque>
#include <future>
#include <ostream>
#include <string>
#include <string_view>

namespace lapscope::reports {

// Writes packets to a file. If there is more than one batch, each batch is compressed by its own
// thread. Perfetto's recorder compresses packets in the same way, so its tools can read them. A
// single batch is not compressed, so that decoders without decompression can read small traces.
class PacketStream {
 public:
  static constexpr std::size_t batch_bytes = std::size_t{4} << 20U;

  explicit PacketStream(std::ostream& out) : out_(out) {}

  // Adds a packet, preceded by its tag and length. Throws the exceptions of finish().
  void add(std::string_view packet);

  // Writes the remaining packets. Must be called at the end. Throws std::runtime_error if there is
  // not enough memory.
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
