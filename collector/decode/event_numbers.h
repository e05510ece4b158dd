#pragma once

#include <cstdint>
#include <unordered_map>

namespace lapscope::decode {

// Numbers CUDA events and cudaEventRecord calls as CUPTI numbers them. Callbacks contain only the
// handles of events. These are not unique, because CUDA reuses the handles of destroyed events. The
// caller must pass the calls in the order in which they returned.
class EventNumbers {
 public:
  struct Event {
    std::uint32_t id = 0;       // from 1
    std::uint32_t context = 0;  // the context in which the event was made; 0: unknown
    // The number of the last cudaEventRecord call for this event. The calls of the process are
    // numbered from 1. The value is 0 before the first call, and if the last call was captured into
    // a graph. If it is 0, a wait for the event has nothing to wait for.
    std::int64_t last_record = 0;
  };

  void make(std::uint64_t handle, std::uint32_t context) {
    events_[handle] = {++last_id_, context, 0};
  }

  // A cudaEventRecord call that is captured into a graph gets no number, because only launches of
  // the graph record the event.
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
