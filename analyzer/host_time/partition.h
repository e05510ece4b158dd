#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analyzer/host_time/host_kinds.h"
#include "analyzer/host_time/host_time.h"
#include "analyzer/host_time/strata.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Finds out what threads did between their CUDA calls, from samples and spans (HostSamples). One
// object serves all threads and times of a trace. Several threads may query it at once. The trace
// must outlive it.
//
// A place is a pair of call sites that a thread reaches one after the other:
//
//   thread   [a]....1.........[b]..[a]........2....[b]      1 and 2: samples
//   place       ---a to b----    -b to a-  ---a to b---
//
// Samples within a call are ignored, because the call shows what the thread does. The time of spans
// is exact. The rest of a place's time is divided in proportion to the place's samples.
class HostPartition {
 public:
  struct Asked {
    std::uint32_t thread = 0;  // in Calls::threads
    std::int64_t ops = 0;      // the number of ops that the thread issued
  };

  HostPartition(const Trace& trace, const KindTable& kinds);

  // Returns the host time of these threads within `when`. Does not set window_ns and instances.
  enum class Stacks : std::uint8_t { leave_out, list };
  HostActivity of(const std::vector<Asked>& threads, const IntervalSet& when,
                  Stacks stacks = Stacks::leave_out) const;

  // A slice covers consecutive samples of one thread between calls. These samples have the same
  // kind, function, caller and state. The slice extends halfway to the samples before and after it,
  // but at most by one sampling interval. It contains no time of spans. Its line is the line that
  // most of its samples have.
  //
  // Consecutive spans are also one slice, if they have the same kind, function, caller and state,
  // and only calls lie between them. Such a slice lasts from the start of the first span to the end
  // of the last span.
  struct Slice {
    Interval interval;
    HostKind kind = HostKind::unknown;
    ThreadState state = ThreadState::unknown;
    Frame own;                 // as in HostPart::function
    std::uint32_t caller = 0;  // as HostPart::caller
  };
  // Returns the slices between the first and the last call of a thread, sorted by time. `thread` is
  // an index in Calls::threads.
  std::vector<Slice> slices_of(std::uint32_t thread) const;

 private:
  struct Label {
    HostKind kind = HostKind::unknown;
    ThreadState state = ThreadState::unknown;
    Frame own;                    // as in HostPart::function
    std::uint32_t innermost = 0;  // as HostPart::innermost
    std::uint32_t caller = 0;     // as HostPart::caller

    auto key() const {
      return std::tie(kind, state, own.function, own.file, own.line, innermost, caller);
    }
    friend bool operator<(const Label& a, const Label& b) { return a.key() < b.key(); }
  };
  // A thread that has calls, and samples or spans.
  struct Thread {
    std::vector<std::uint32_t> places;  // for each call but the first: the place before the call
    std::vector<PlaceSample> samples;   // between calls, sorted by time
    std::vector<std::uint32_t> calls;   // by sample of `samples`: the next call
    // The share of waiting in the thread's time off its processor. In the rest of that time, the
    // thread was ready to run. 0 if not known.
    Share waits_of_off = 0;
  };
  // A call site: the called function, and the place in the source code if there is a call stack.
  struct CallAt {
    std::uint32_t name = 0;
    std::uint32_t place = CallStacks::none;

    friend auto operator<=>(const CallAt&, const CallAt&) = default;
  };
  struct Place {
    std::uint32_t before = 0;
    std::uint32_t after = 0;

    friend auto operator<=>(const Place&, const Place&) = default;
  };

  // What the spans of a thread show.
  struct Recorded {
    std::vector<Portion> portions;  // sorted by site, then label
    std::map<std::pair<std::uint32_t, std::uint32_t>, Ns> ns_of_chain;  // by label and chain
    Ns ns = 0;
  };
  using TimeAt = std::unordered_map<std::uint32_t, Ns>;  // by place

  void find_labels(const KindTable& kinds);
  void find_places(std::uint32_t thread, const KindTable& kinds);
  Share waits_of_off(std::uint32_t thread) const;
  void describe(std::uint32_t chain, std::uint32_t decides, Label& label) const;
  std::uint32_t number_of(const Label& label);
  bool dispatches(std::uint32_t call, std::uint32_t sample, const KindTable& kinds);
  std::uint32_t call_at(std::uint32_t call);
  std::int64_t stands_for(const HostSamples::Thread& thread, std::uint32_t sample) const;
  TimeAt waited_at(std::uint32_t thread, const IntervalSet& when) const;
  using ByLine = std::map<std::string, HostActivity>;
  void add(const Asked& asked, const IntervalSet& when, Stacks stacks, HostActivity& result,
           ByLine& lines) const;
  // Returns what the spans of a thread show. Leaves out times outside `when`. Subtracts the time of
  // the spans from `left`.
  Recorded recorded(const Calls::Thread& thread, const IntervalSet& when, TimeAt& left) const;
  void add_stacks(const Division& division, const Recorded& recorded, std::int64_t thread,
                  HostActivity& result) const;
  void add_sites(const Division& division, const Recorded& recorded, const HostThread& host,
                 ByLine& lines) const;
  HostStack stack_of(std::uint32_t label, std::uint32_t chain, std::int64_t thread) const;
  std::vector<Slice> slices_of_looks(std::uint32_t thread) const;
  std::vector<Slice> slices_of_spans(std::uint32_t thread) const;
  bool is_of_slice(std::uint32_t label, const Slice& slice) const;
  std::string line_of(std::uint32_t call_site) const;
  HostPart part_of(std::uint32_t label, std::int64_t thread) const;
  std::vector<std::string> frames_of(std::uint32_t chain) const;

  const Trace& trace_;
  std::vector<Label> labels_;
  std::map<Label, std::uint32_t> label_numbers_;
  // Results of dispatches(), by the call stacks of the call and of the sample.
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> dispatches_;
  std::vector<std::uint32_t> label_;          // by sample
  std::vector<std::uint32_t> label_of_span_;  // by span
  std::vector<std::uint32_t> place_of_span_;  // by span; no_index if not between two calls
  std::map<std::uint32_t, Thread> threads_;
  std::map<CallAt, std::uint32_t> call_sites_;
  std::vector<std::uint32_t> a_call_at_;  // by call site: an example of a call there
  std::map<Place, std::uint32_t> numbers_;
  std::vector<Place> places_;
};

}  // namespace lapscope::analyzer
