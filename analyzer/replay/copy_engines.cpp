#include "analyzer/replay/copy_engines.h"

#include <algorithm>
#include <cmath>

namespace lapscope::analyzer {

bool CopyEngines::take(Engine engine, std::uint32_t task) {
  const std::size_t own = index(traits_.occupied_by(engine));
  bool& taken = taken_[own];
  if (taken) {
    waiting_[own].push_back(task);
    return false;
  }
  taken = true;
  return true;
}

std::uint32_t CopyEngines::release(Engine engine) {
  const std::size_t own = index(traits_.occupied_by(engine));
  auto& waiting = waiting_[own];
  if (waiting.empty()) {
    taken_[own] = false;
    return no_index;
  }
  const std::uint32_t next = waiting.front();
  waiting.pop_front();
  return next;
}

double CopyEngines::rate(Engine engine) const {
  const bool both = running_[index(Engine::h2d)].task != no_index &&
                    running_[index(Engine::d2h)].task != no_index;
  const bool is_of_link = engine == Engine::h2d || engine == Engine::d2h;
  return both && is_of_link ? traits_.both_directions : 1.0;
}

void CopyEngines::advance(std::int64_t now) {
  for (const Engine engine : all_engines) {
    Running& running = running_[index(engine)];
    if (running.task == no_index) continue;
    running.left -= static_cast<double>(now - running.since) * rate(engine);
    running.since = now;
  }
}

CopyEngines::Finishes CopyEngines::finishes(std::int64_t now) {
  Finishes result;
  for (const Engine engine : all_engines) {
    Running& running = running_[index(engine)];
    if (running.task == no_index) continue;
    const std::int64_t ends = now + std::llround(std::max(0.0, running.left) / rate(engine));
    if (ends == running.ends) continue;
    running.ends = ends;
    result.add({running.task, ends, ++running.version});
  }
  return result;
}

CopyEngines::Finishes CopyEngines::start(Engine engine, std::uint32_t task, std::int64_t work,
                                         std::int64_t now) {
  advance(now);
  Running& running = running_[index(engine)];
  running.task = task;
  running.left = static_cast<double>(work);
  running.since = now;
  running.ends = never;
  return finishes(now);
}

CopyEngines::Finishes CopyEngines::end(Engine engine, std::int64_t now) {
  advance(now);
  running_[index(engine)].task = no_index;
  return finishes(now);
}

bool CopyEngines::is_current(Engine engine, std::uint32_t task, std::uint32_t version) const {
  const Running& running = running_[index(engine)];
  return running.task == task && running.version == version;
}

}  // namespace lapscope::analyzer
