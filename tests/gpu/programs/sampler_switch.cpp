#include <chrono>
#include <optional>

#include "collector/callbacks/callback_queue.h"
#include "collector/host_samples/host_sampler.h"
#include "collector/process/thread_clock.h"
#include "collector/python_frames/interpreter.h"

// A library for sampler_cost.py. It samples the calling thread as `lapscope record` does, and
// records nothing else. A process can thus measure itself with and without samples.
namespace lapscope {
namespace {

struct Sampled {
  process::WatchedThreads threads;
  callbacks::EventQueue events;
  stacks::CallStacks stacks;
  std::optional<python_frames::PythonFrames> python;
  std::optional<host_samples::HostSampler> sampler;
};

Sampled& sampled() {
  static auto* const one = new Sampled;
  return *one;
}

}  // namespace
}  // namespace lapscope

// Prepares to sample the calling thread `rate` times per second. Returns whether the samples have
// native frames.
extern "C" __attribute__((visibility("default"))) int sampler_prepare(unsigned rate) {
  using namespace lapscope;
  Sampled& one = sampled();
  one.threads.add_this();
  const python_frames::FoundInterpreter found = python_frames::find_interpreter();
  if (found.interpreter) {
    one.python.emplace(*found.interpreter);
    one.stacks.set_python(*one.python, {});
  }
  const bool has_native = process::thread_clock_refusal() == 0;
  one.sampler.emplace(one.threads, one.events, &one.stacks,
                      std::chrono::nanoseconds(1'000'000'000 / rate), has_native);
  return has_native ? 1 : 0;
}

extern "C" __attribute__((visibility("default"))) void sampler_start() {
  lapscope::sampled().sampler->start();
}

// Reads the clock in a loop, for `seconds` seconds. Returns the sum, in ns, of all jumps of the
// clock by more than 1 us. An interrupt of the calling thread causes such a jump, for example the
// interrupt that takes a sample.
extern "C" __attribute__((visibility("default"))) long long sampler_gaps(double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::nanoseconds shortest(1000);
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  std::chrono::nanoseconds lost(0);
  for (auto before = Clock::now(); before < end;) {
    const auto now = Clock::now();
    if (now - before > shortest) lost += now - before;
    before = now;
  }
  return lost.count();
}

// Returns how many samples were taken since sampler_start().
extern "C" __attribute__((visibility("default"))) int sampler_stop() {
  lapscope::Sampled& one = lapscope::sampled();
  one.sampler->stop(std::chrono::seconds(1));
  one.events.take();
  return static_cast<int>(one.sampler->counts().taken);
}

// Returns the processor time, in ns, of the samples that the previous sampler_stop() counted.
extern "C" __attribute__((visibility("default"))) long long sampler_cpu() {
  return lapscope::sampled().sampler->counts().cpu;
}
