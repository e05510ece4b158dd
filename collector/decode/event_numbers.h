#pragma once

#include <cstdint>
#include <unordered_map>

namespace lapscope::decode {

// Numbers CUDA events and their records, as CUPTI does in its own records: callbacks contain only
// handles, which are reused. Calls must be passed in the order in which they returned.
class EventNumbers {
 public:
  struct Event {
    std::uint32_t id = 0;       // from 1
    std::uint32_t context = 0;  // in which it was made; 0 when that is not known
    // The last record of the event, from 1 in the process; 0 if there is none to wait for.
    std::int64_t last_record = 0;
  };

  void make(std::uint64_t handle, std::uint32_t context) {
    events_[handle] = {++last_id_, context, 0};
  }

  // A captured event is recorded by each launch of the graph, if at all.
  const Event& record(std::uint64_t handle, bool is_captured) {
    Event& event = known(handle);
    event.last_record = is_captured ? 0 : ++last_record_;
    return event;
  }

  const Event& of(std::uint64_t handle) { return known(handle); }

 private:
  Event& known(std::uint64_t handle) {
    Event& event = events_[handle];
    if (event.id == 0) event.id = ++last_id_;
    return event;
  }

  std::unordered_map<std::uint64_t, Event> events_;
  std::uint32_t last_id_ = 0;
  std::int64_t last_record_ = 0;
};

}  // namespace lapscope::decode
