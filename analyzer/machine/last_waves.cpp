#include "analyzer/machine/last_waves.h"

#include <algorithm>
#include <cmath>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

double noted(double spare) {
  return spare > static_cast<double>(assumed::dealing_out.value) ? spare : 0;
}

}  // namespace

double LastWaves::spare(std::uint32_t t) const {
  if (!rule::last_waves) return 0;
  const Needs& task = work_.tasks[t];
  const Lengths& own = work_.lengths[t];
  if (task.geometry == no_index || task.rank != no_index || own.is_room_seen) return 0;
  const double most = machine_.uses[task.geometry].spare * static_cast<double>(own.work);
  return noted(own.last_wave_overlap > 0 ? most - own.last_wave_work : most);
}

// If this kernel waited for the last wave of another kernel, its first blocks start as soon as a
// multiprocessor becomes free.
Course LastWaves::start(std::uint32_t t, Ns now, Ns latency) {
  const Needs& task = work_.tasks[t];
  const Lengths& lengths = work_.lengths[t];
  const double work = static_cast<double>(lengths.work) + lengths.work_rest;
  if (task.geometry == no_index) return {work, 0, 0};
  const double seen = lengths.last_wave_overlap > 0 ? lengths.last_wave_work : 0;
  if (!rule::last_waves) return {work, seen, 0};
  if (lengths.is_room_seen || machine_.sharing == Sharing::most) return {work, seen, 0};
  const LastWave& wave = latest_;
  const bool waited = is_under_way(now) && now <= wave.begin + latency;
  const Ns begins = waited ? wave.begin : now;
  const SmUse& use = machine_.uses[task.geometry];
  const auto ahead = static_cast<double>(std::max<Ns>(0, wave.end - begins));
  // Assumes that blocks of one kernel class take equally long in all launches.
  const bool is_like = waited && wave.kernel_class == task.kernel_class;
  const double begun = is_like ? wave.left : ahead * std::ceil(use.waves) / std::max(1.0, work);
  Course own = course_of(use, work, ahead, begun);
  if (own.work != work) own.work -= static_cast<double>(now - begins);
  own.last_wave_overlap = std::max(noted(own.last_wave_overlap), seen);
  if (own.last_wave_overlap > 0 && own.waves_left > 0) coming_[t] = own;
  return own;
}

void LastWaves::begin_last_wave(std::uint32_t t, Ns now) {
  const auto own = coming_.find(t);
  if (own == coming_.end()) return;
  latest_ = {now, now + std::llround(own->second.last_wave_overlap), own->second.waves_left,
             work_.tasks[t].kernel_class};
  coming_.erase(own);
}

}  // namespace lapscope::analyzer
