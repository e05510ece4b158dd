#include "analyzer/machine/copy_engines.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapscope::analyzer {

bool CopyEngines::admit(std::uint32_t task, Ns) {
  const std::size_t own = index(traits_.occupied_by(work_.tasks[task].engine));
  if (!taken_[own]) return taken_[own] = true;
  waiting_[own].push_back(task);
  return false;
}

void CopyEngines::start(std::uint32_t task, Ns now) {
  advance(now);
  Running& running = running_[index(work_.tasks[task].engine)];
  running.task = task;
  running.left = static_cast<double>(work_.lengths[task].work);
  running.since = now;
  running.ends = never;
  announce_ends(now);
}

bool CopyEngines::leave(const Event& event) {
  const Engine engine = work_.tasks[event.index].engine;
  Running& running = running_[index(engine)];
  if (running.task != event.index || running.version != event.version) return false;
  advance(event.time);
  running.task = no_index;
  announce_ends(event.time);
  const std::size_t own = index(traits_.occupied_by(engine));
  taken_[own] = !waiting_[own].empty();
  if (!taken_[own]) return true;
  const std::uint32_t next = waiting_[own].front();
  waiting_[own].pop_front();
  announce({event.time + delays_.of_room(next), EventKind::starts, next});
  return true;
}

double CopyEngines::rate(Engine engine) const {
  const bool both = running_[index(Engine::h2d)].task != no_index &&
                    running_[index(Engine::d2h)].task != no_index;
  return traits_.rate(engine, both);
}

void CopyEngines::advance(Ns now) {
  for (const Engine engine : all_engines) {
    Running& running = running_[index(engine)];
    if (running.task == no_index) continue;
    running.left -= static_cast<double>(now - running.since) * rate(engine);
    running.since = now;
  }
}

// Announces the end of each running copy whose end has changed.
void CopyEngines::announce_ends(Ns now) {
  for (const Engine engine : all_engines) {
    Running& running = running_[index(engine)];
    if (running.task == no_index) continue;
    const Ns ends = now + std::llround(std::max(0.0, running.left) / rate(engine));
    if (std::exchange(running.ends, ends) == ends) continue;
    announce({ends, EventKind::task_ends, running.task, ++running.version});
  }
}

}  // namespace lapscope::analyzer
