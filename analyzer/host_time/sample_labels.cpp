#include "analyzer/host_time/partition.h"

#include <algorithm>

#include "analyzer/intervals/units.h"

// Functions of HostPartition that find the label of each sample, and the calls before and after the
// sample.
namespace lapscope::analyzer {
namespace {

bool says_what_waits(const KindTable::SeenFrame* frame) {
  return frame->is_python || frame->is_annotation || frame->owner == CodeOwner::program;
}

}  // namespace

void HostPartition::find_labels(const KindTable& kinds) {
  const HostSamples& samples = trace_.host_samples;
  const CallStacks& stacks = samples.stacks;
  const Names& names = trace_.names;
  using FrameKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, CodeOwner>;
  std::map<FrameKey, KindTable::SeenFrame> seen;
  // PyTorch's profiler leaves out the folders of modules.
  const auto paths = trace_.facts.format.starts_with("kineto/") ? KindTable::Paths::without_folders
                                                                : KindTable::Paths::whole;
  std::vector<std::vector<const KindTable::SeenFrame*>> chains(stacks.chain_count());
  for (std::uint32_t chain = 0; chain < chains.size(); ++chain) {
    const auto frames = stacks.chain(chain);
    for (std::uint32_t f = 0; f < frames.size(); ++f) {
      const Frame& frame = frames[f];
      const CodeOwner owner = stacks.owner(chain, f);
      const auto [known, is_new] =
          seen.try_emplace({frame.function, frame.module, frame.file, owner});
      if (is_new) {
        known->second = kinds.seen(names.text(frame.function), names.text(frame.module),
                                   names.text(frame.file), owner, paths);
      }
      chains[chain].push_back(&known->second);
    }
  }
  std::map<std::tuple<std::uint32_t, ThreadState, bool>, std::uint32_t> known_labels;
  const auto label_of = [&](std::uint32_t chain, ThreadState state, bool is_span) {
    const auto [known, is_new] = known_labels.try_emplace({chain, state, is_span}, 0);
    if (is_new) {
      using Frames = std::vector<const KindTable::SeenFrame*>;
      const Frames none;
      const Frames& frames = chain == CallStacks::none ? none : chains[chain];
      const KindTable::Found found = kinds.kind_of(state, frames);
      Label label{found.kind, state, {}, 0, 0};
      // A thread without Python frames may belong to a library, such as a thread of autograd, and
      // may wait for work. The function in which it waits is not what the thread works on.
      const bool is_idle = !is_span && label.state != ThreadState::running &&
                           std::ranges::none_of(frames, says_what_waits);
      if (!frames.empty() && !is_idle) describe(chain, found.frame, label);
      known->second = number_of(label);
    }
    return known->second;
  };
  for (std::uint32_t sample = 0; sample < samples.size(); ++sample) {
    label_.push_back(label_of(samples.chain[sample], samples.state[sample], false));
  }
  const HostSamples::Spans& spans = samples.spans;
  for (std::uint32_t span = 0; span < spans.size(); ++span) {
    const bool is_unseen =
        spans.chain[span] == CallStacks::none && spans.state[span] == ThreadState::unknown;
    label_of_span_.push_back(is_unseen ? no_index
                                       : label_of(spans.chain[span], spans.state[span], true));
  }
  place_of_span_.assign(spans.size(), no_index);
}

// Sets the functions of a label from a stack. `decides` is the frame that decided the label's kind
// (KindTable::Found::frame).
void HostPartition::describe(std::uint32_t chain, std::uint32_t decides, Label& label) const {
  const CallStacks& stacks = trace_.host_samples.stacks;
  const auto frames = stacks.chain(chain);
  const auto is_program = [&](std::uint32_t f) {
    return stacks.owner(chain, f) == CodeOwner::program;
  };
  std::uint32_t own = stacks.own_frame(chain);
  if (own == CallStacks::none) own = 0;
  for (std::uint32_t f = 0; decides != KindTable::no_frame && f < decides; ++f) {
    if (is_program(f)) own = f;
  }
  label.own = {frames[own].function, 0, frames[own].file, frames[own].line};
  if (frames[0].function != frames[own].function) label.innermost = frames[0].function;
  if (label.kind != HostKind::user) return;
  for (std::uint32_t f = own + 1; f < frames.size() && label.caller == 0; ++f) {
    if (is_program(f) && frames[f].function != frames[own].function) {
      label.caller = frames[f].function;
    }
  }
}

std::uint32_t HostPartition::number_of(const Label& label) {
  const auto next = static_cast<std::uint32_t>(labels_.size());
  const auto [known, is_new] = label_numbers_.try_emplace(label, next);
  if (is_new) labels_.push_back(label);
  return known->second;
}

// Whether `sample` was probably taken within an operator of a library. The sample has no native
// frames, but `call`, a call just before or after the sample, may have them. Returns true if the
// innermost Python frame of `call` is also the innermost frame of the sample, and if this frame
// called an operator in `call`.
bool HostPartition::dispatches(std::uint32_t call, std::uint32_t sample, const KindTable& kinds) {
  const std::uint32_t of_call = trace_.stacks.of_call(call);
  const std::uint32_t of_sample = trace_.host_samples.chain[sample];
  if (of_call == CallStacks::none || of_sample == CallStacks::none) return false;
  const auto [known, is_new] = dispatches_.try_emplace({of_call, of_sample}, false);
  if (!is_new) return known->second;
  const Names& names = trace_.names;
  const Frame& innermost = trace_.host_samples.stacks.chain(of_sample)[0];
  bool is_operator = false;
  for (const Frame& frame : trace_.stacks.chain(of_call)) {
    const std::string& module = names.text(frame.module);
    if (module == python_module) {
      known->second = is_operator && frame.function == innermost.function &&
                      frame.file == innermost.file && frame.line == innermost.line;
      break;
    }
    is_operator |= kinds.is_dispatch(names.text(frame.function), module);
  }
  return known->second;
}

std::uint32_t HostPartition::call_at(std::uint32_t call) {
  const CallStacks& stacks = trace_.stacks;
  const std::uint32_t chain = stacks.of_call(call);
  const CallAt site{trace_.calls.name[call],
                    chain == CallStacks::none ? CallStacks::none : stacks.place(chain)};
  const auto next = static_cast<std::uint32_t>(a_call_at_.size());
  const auto [known, is_new] = call_sites_.try_emplace(site, next);
  if (is_new) a_call_at_.push_back(call);
  return known->second;
}

void HostPartition::find_places(std::uint32_t t, const KindTable& kinds) {
  const Calls& calls = trace_.calls;
  const Calls::Thread& thread = calls.threads[t];
  Thread& found = threads_[t];
  found.waits_of_off = waits_of_off(t);
  std::uint32_t before = 0;
  for (std::uint32_t call = thread.first; call < thread.last; ++call) {
    const std::uint32_t site = call_at(call);
    if (call > thread.first) {
      const auto next = static_cast<std::uint32_t>(places_.size());
      const auto [known, is_new] = numbers_.try_emplace(Place{before, site}, next);
      if (is_new) places_.push_back({before, site});
      found.places.push_back(known->second);
    }
    before = site;
  }
  const HostSamples& samples = trace_.host_samples;
  const HostSamples::Spans& spans = samples.spans;
  std::uint32_t call = thread.first;
  // Whether `time` lies between two calls. Advances `call` to the call after `time`.
  const auto is_between_calls = [&](Ns time) {
    while (call < thread.last && calls.start[call] <= time) ++call;
    return call > thread.first && call < thread.last && calls.end[call - 1] <= time;
  };
  if (const HostSamples::Thread* const told = spans.of(thread.global_tid)) {
    for (std::uint32_t span = told->first; span < told->last; ++span) {
      if (!is_between_calls(spans.start[span])) continue;
      place_of_span_[span] = found.places[call - thread.first - 1];
    }
  }
  const HostSamples::Thread* const looked = samples.of(thread.global_tid);
  if (looked == nullptr) return;
  call = thread.first;
  for (std::uint32_t sample = looked->first; sample < looked->last; ++sample) {
    if (!is_between_calls(samples.time[sample])) continue;
    Label label = labels_[label_[sample]];
    const bool is_dispatch = label.kind == HostKind::user && (dispatches(call - 1, sample, kinds) ||
                                                              dispatches(call, sample, kinds));
    if (is_dispatch) {
      label.kind = HostKind::dispatch;
      label.caller = 0;
      label_[sample] = number_of(label);
    }
    found.calls.push_back(call);
    found.samples.push_back({found.places[call - thread.first - 1], label_[sample],
                             stands_for(*looked, sample), sample, is_waiting(label.state)});
  }
}

// Returns the weight of a sample: the time in ns since the previous sample, at most two sampling
// intervals. The time until the next sample is not used, because the sampler waits longer after a
// sample of a running thread. If samples were taken at even intervals of processor time, all have
// the same weight, because the time before a sample may contain a wait.
std::int64_t HostPartition::stands_for(const HostSamples::Thread& thread,
                                       std::uint32_t sample) const {
  const HostSamples& samples = trace_.host_samples;
  if (samples.are_by_cpu_time) return std::max<std::int64_t>(1, samples.interval_ns);
  const std::int64_t most = 2 * samples.interval_ns;
  std::int64_t before = samples.interval_ns;
  if (sample > thread.first) before = samples.time[sample] - samples.time[sample - 1];
  return std::max<std::int64_t>(1, std::min(before, most));
}

}  // namespace lapscope::analyzer
