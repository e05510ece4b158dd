#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/event_queue.h"
#include "analyzer/model/cause.h"

namespace lapscope::analyzer {

// A resource that tasks or calls occupy while they run, such as an engine. A task or call may have
// to wait for the resource. The simulation (simulate.h) reports to the resource what happens to the
// tasks and calls. After each report, the simulation asks the resource for new events (next()). All
// times are in ns since the session start.
class Resource {
 public:
  Resource() = default;
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;
  virtual ~Resource() = default;

  // A task or call becomes ready. Returns whether it starts now. If it does not, next() returns an
  // event for its start as soon as the start is known.
  virtual bool admit(std::uint32_t index, Ns now) = 0;
  // A task or call starts. admit() returned true for it, or next() returned an event for its start.
  virtual void start(std::uint32_t index, Ns now) = 0;
  // Returns an event of this resource that was not returned before; nullopt if there is none. The
  // event may become out of date if anything else happens to the resource before the event occurs.
  virtual std::optional<Event> next(Ns /*now*/) {
    if (news_.empty()) return std::nullopt;
    const Event event = news_.back();
    news_.pop_back();
    return event;
  }
  // Handles an event from next() at the event's time. Returns whether the task or call of the event
  // has ended. Returns false for an event that is out of date.
  virtual bool leave(const Event& event) = 0;

  virtual void end_wait(std::uint32_t /*index*/, Ns /*end*/) {}
  // The simulation calls this function when no events are left. Some tasks may wait for tasks that
  // will never start. Lets such waiting tasks of this resource go on. Returns whether there are
  // any.
  virtual bool go_on_without(Ns /*now*/) { return false; }

 protected:
  void announce(const Event& event) { news_.push_back(event); }

 private:
  std::vector<Event> news_;
};

// A link from one task or call to another, which has the index `to`. The start or the end of the
// first releases the second.
struct Link {
  std::uint32_t to = 0;
  Cause cause = Cause::unexplained;
  bool from_start = false;
  bool ends_wait = false;  // it ends a wait of the call `to`; otherwise it lets `to` start
  bool is_turn = false;    // links calls of two threads
};

// Delays from the release of a task or call to its start, in ns. In this class, all are 0.
class Delays {
 public:
  virtual ~Delays() = default;

  // Returns the time from the release of link.to by `from` to the start of link.to. Both are tasks
  // or calls.
  virtual Ns of(std::uint32_t /*from*/, const Link& /*link*/) { return 0; }
  // Returns the time until the start of a task for which room or an engine has become free.
  virtual Ns of_room(std::uint32_t /*task*/) { return 0; }
};

}  // namespace lapscope::analyzer
