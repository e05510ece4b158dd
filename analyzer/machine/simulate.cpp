#include "analyzer/machine/simulate.h"

#include <algorithm>
#include <utility>

#include "analyzer/machine/event_queue.h"
#include "analyzer/machine/workload.h"

namespace lapscope::analyzer {
namespace {

class Simulation {
 public:
  Simulation(Dependences dependences, Delays& delays,
             const std::vector<std::unique_ptr<Resource>>& resources)
      : links_(std::move(dependences)),
        delays_(delays),
        resources_(resources),
        waits_(std::move(links_.inputs)) {
    run_.reserve(waits_.size());
    for (const Ns earliest : links_.earliest) run_.push_back({never, earliest});
    links_.earliest = {};
  }

  std::vector<Interval> run() {
    for (std::uint32_t i = 0; i < waits_.size(); ++i) {
      if (waits_[i] == 0) let_go(i);
    }
    do {
      while (!events_.empty()) handle(events_.pop());
    } while (go_on_without_some());
    for (std::uint32_t i = 0; i < waits_.size(); ++i) {
      if (waits_[i] != ended) run_[i] = {never, never};
    }
    return std::move(run_);
  }

 private:
  static constexpr std::uint32_t ended = no_index;

  // Returns the earliest known start of a task or call. Until the task or call has ended, its field
  // for the end holds this start.
  Ns& ready(std::uint32_t i) { return run_[i].end; }
  Resource& resource_of(std::uint32_t i) { return *resources_[links_.needs[i]]; }

  void let_go(std::uint32_t i) {
    const bool is_call = i >= links_.tasks;
    events_.push({ready(i), is_call ? EventKind::call_ready : EventKind::ready, i});
  }

  void handle(const Event& event) {
    latest_ = std::max(latest_, event.time);
    switch (event.kind) {
      case EventKind::call_ready:
      case EventKind::ready:
        if (resource_of(event.index).admit(event.index, event.time)) {
          start(event.index, event.time);
        } else {
          take_news(resource_of(event.index), event.time);
        }
        break;
      case EventKind::starts:
        start(event.index, event.time);
        break;
      case EventKind::wave_ends:
        come_about(event, *resources_[event.index]);
        break;
      default:
        come_about(event, resource_of(event.index));
    }
  }

  void start(std::uint32_t i, Ns now) {
    run_[i].start = now;
    follow(i, true, now);
    resource_of(i).start(i, now);
    take_news(resource_of(i), now);
  }

  void come_about(const Event& event, Resource& resource) {
    const bool has_ended = resource.leave(event);
    take_news(resource, event.time);
    if (has_ended) end(event.index, event.time);
  }

  void take_news(Resource& resource, Ns now) {
    while (const auto event = resource.next(now)) {
      if (event->kind == EventKind::call_ends) {
        end(event->index, event->time);
      } else {
        events_.push(*event);
      }
    }
  }

  void end(std::uint32_t i, Ns time) {
    run_[i].end = time;
    waits_[i] = ended;
    latest_ = std::max(latest_, time);
    follow(i, false, time);
  }

  void follow(std::uint32_t i, bool from_start, Ns time) {
    for (std::uint32_t l = links_.begin[i]; l < links_.begin[i + 1]; ++l) {
      const Link& link = links_.links[l];
      if (link.from_start != from_start) continue;
      if (link.ends_wait) {
        resource_of(link.to).end_wait(link.to, time);
        take_news(resource_of(link.to), time);
      } else {
        ready(link.to) = std::max(ready(link.to), time + delays_.of(i, link));
        if (--waits_[link.to] == 0) let_go(link.to);
      }
    }
  }

  // When no events remain, tasks may wait for each other in a circle. In this case, either the
  // program would hang, or the model is wrong. Lets such tasks go on. Returns whether there were
  // any.
  bool go_on_without_some() {
    bool goes_on = false;
    for (const auto& resource : resources_) {
      if (!resource->go_on_without(latest_)) continue;
      goes_on = true;
      take_news(*resource, latest_);
    }
    return goes_on;
  }

  Dependences links_;
  Delays& delays_;
  const std::vector<std::unique_ptr<Resource>>& resources_;
  std::vector<std::uint32_t> waits_;  // by index: links that have not released it; or `ended`
  EventQueue events_;
  Ns latest_ = never;
  std::vector<Interval> run_;  // by index
};

}  // namespace

std::vector<Interval> simulate(Dependences dependences, Delays& delays,
                               const std::vector<std::unique_ptr<Resource>>& resources) {
  return Simulation(std::move(dependences), delays, resources).run();
}

}  // namespace lapscope::analyzer
