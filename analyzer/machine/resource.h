#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/event_queue.h"
#include "analyzer/model/cause.h"

namespace lapscope::analyzer {

// What tasks and calls need to run, and may have to wait for: a run (simulate.h) says what happens
// to those that need it, and asks what comes of that. All times are in ns since the session start.
class Resource {
 public:
  Resource() = default;
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;
  virtual ~Resource() = default;

  // One is ready. Whether it starts now; otherwise next() says when, once that is known.
  virtual bool admit(std::uint32_t index, Ns now) = 0;
  // One starts, which was admitted or of which next() said so.
  virtual void start(std::uint32_t index, Ns now) = 0;
  // What it brings about next if nothing else happens to it before. Empty when all that has been
  // said.
  virtual std::optional<Event> next(Ns /*now*/) {
    if (news_.empty()) return std::nullopt;
    const Event event = news_.back();
    news_.pop_back();
    return event;
  }
  // What next() said comes about. Whether it still counts, and the one that it is about has ended
  // and left.
  virtual bool leave(const Event& event) = 0;

  // One of those for whose ends a call waits has ended.
  virtual void end_wait(std::uint32_t /*index*/, Ns /*end*/) {}
  // Nothing happens any more. Whether some wait here for others that do not come, and now go on.
  virtual bool go_on_without(Ns /*now*/) { return false; }

 protected:
  void announce(const Event& event) { news_.push_back(event); }

 private:
  std::vector<Event> news_;
};

// Where the end, or the start, of a task or call lets another one go.
struct Link {
  std::uint32_t to = 0;
  Cause cause = Cause::unexplained;
  bool from_start = false;
  bool ends_wait = false;  // lets a call that waits for it end; otherwise lets it start
  bool is_turn = false;    // a call of another thread than what it comes after
};

// How long it takes from what lets a task or call go to its start.
class Delays {
 public:
  virtual ~Delays() = default;

  // The delay from what a link comes from.
  virtual Ns of(std::uint32_t from, const Link& link) = 0;
  // The delay from the end of what had the room, or the engine, that the task waited for.
  virtual Ns of_room(std::uint32_t task) = 0;
};

}  // namespace lapscope::analyzer
