#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace lapscope::decode {

// Keeps the payloads of NVTX ranges and marks until their records come. Each payload was passed to
// CUPTI by a call, whose begin and end times are known. The payload belongs to the record that has
// the same thread and a time between the begin and the end of this call. A record outside all calls
// gets no payload. A record within several calls, of which one interrupted the other, gets none
// either.
//
//   thread     ...[ begin   record   end ]...    usually, a thread is in one call at a time
class PayloadTexts {
 public:
  static constexpr std::size_t most = 65'536;  // of a thread; the oldest are dropped first

  // Adds a payload of a thread. The call into CUPTI lasted from `begin` to `end`, in session ns.
  void add(std::int64_t global_tid, std::int64_t begin, std::int64_t end, std::string json);
  // Removes and returns the payload of a thread's range or mark that began at `time`, in session
  // ns. Empty if there is none.
  std::string take(std::int64_t global_tid, std::int64_t time);

  // Returns the number of payloads that were dropped, or that no record has used so far.
  std::int64_t unused() const { return dropped_ + waiting_; }

 private:
  struct Text {
    std::int64_t end;
    std::string json;
  };

  std::map<std::int64_t, std::map<std::int64_t, Text>> by_thread_;  // by thread, then by begin
  std::int64_t waiting_ = 0;
  std::int64_t dropped_ = 0;
};

}  // namespace lapscope::decode
