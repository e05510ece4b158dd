#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace lapscope::decode {

// The payloads of NVTX ranges and marks until their records come. A record belongs to the payload
// whose call of CUPTI its thread was in at that time: where no payload fits, or more than one does,
// the row has none.
//
//   thread     ...[ begin   record   end ]...    a thread is in one call at a time
class PayloadTexts {
 public:
  static constexpr std::size_t most = 65'536;  // of a thread; the oldest go first

  // Times in session ns.
  void add(std::int64_t global_tid, std::int64_t begin, std::int64_t end, std::string json);
  // The payload of what a thread began at `time`, which is given once; empty where there is none.
  std::string take(std::int64_t global_tid, std::int64_t time);

  // How many were dropped, and those that nothing has asked for yet.
  std::int64_t unused() const { return dropped_ + waiting_; }

 private:
  struct Text {
    std::int64_t end;
    std::string json;
  };

  std::map<std::int64_t, std::map<std::int64_t, Text>> by_thread_;  // each by begin
  std::int64_t waiting_ = 0;
  std::int64_t dropped_ = 0;
};

}  // namespace lapscope::decode
