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

// What the samples and spans of a trace say of the time between calls, for any threads and times of
// it. Made once, for asking many times; refers to the trace, which must outlive it. Asking changes
// nothing, and several may ask at once.
//
//   thread   [a]....1.........[b]..[a]........2....[b]      1 and 2: what was seen there
//   place       ---a to b----    -b to a-  ---a to b---
//
// What is seen in a call counts for nothing: the call says what the thread does. Spans are taken
// off first, exactly; what is left of a place is divided by the samples there.
class HostPartition {
 public:
  struct Asked {
    std::uint32_t thread = 0;  // in Calls::threads
    std::int64_t ops = 0;      // that it issued
  };

  HostPartition(const Trace& trace, const KindTable& kinds);

  // Whether it is recorded what threads did.
  bool is_known() const { return trace_.host_samples.were_taken(); }
  // Without window and instances; with stacks on request.
  enum class Stacks : std::uint8_t { leave_out, list };
  HostActivity of(const std::vector<Asked>& threads, const IntervalSet& when,
                  Stacks stacks = Stacks::leave_out) const;

  // Samples of a thread between its calls, one after the other, that saw the same function, called
  // by the same one, in the same state. The slice lasts from half of the way to the sample before
  // to half of the way to the sample after, of two intervals at most, without the spans within.
  // Calls may lie within. The line is the one of most samples. A slice of spans is from the begin
  // of the first to the end of the last; nothing but calls lies between these.
  struct Slice {
    Interval interval;
    HostKind kind = HostKind::unknown;
    ThreadState state = ThreadState::unknown;
    Frame own;                 // as in HostPart::function
    std::uint32_t caller = 0;  // as HostPart::caller
  };
  // The slices of a thread (in Calls::threads), by time, from its first call to its last.
  std::vector<Slice> slices_of(std::uint32_t thread) const;

 private:
  struct Label {
    HostKind kind = HostKind::unknown;
    ThreadState state = ThreadState::unknown;
    Frame own;                    // as in HostPart::function
    std::uint32_t innermost = 0;  // function
    std::uint32_t caller = 0;     // likewise

    auto key() const {
      return std::tie(kind, state, own.function, own.file, own.line, innermost, caller);
    }
    friend bool operator<(const Label& a, const Label& b) { return a.key() < b.key(); }
  };
  // A thread that has calls, and samples or spans.
  struct Thread {
    std::vector<std::uint32_t> places;  // by call but for the first: of the time before it
    std::vector<std::uint32_t> calls;   // by sample, the call that ends its interval; or no_index
  };
  // Call sites, as far as they distinguish the times between them.
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

  // What is known of a thread from spans.
  struct Recorded {
    std::vector<Portion> portions;                                      // by site, then label
    std::map<std::pair<std::uint32_t, std::uint32_t>, Ns> ns_of_chain;  // by label and chain
    Ns ns = 0;
  };
  using TimeAt = std::unordered_map<std::uint32_t, Ns>;  // by place

  void find_labels(const KindTable& kinds);
  void find_places(std::uint32_t thread, const KindTable& kinds);
  void describe(std::uint32_t chain, std::uint32_t decides, Label& label) const;
  std::uint32_t number_of(const Label& label);
  bool dispatches(std::uint32_t call, std::uint32_t sample, const KindTable& kinds);
  std::uint32_t call_at(std::uint32_t call);
  std::int64_t stands_for(const HostSamples::Thread& thread, std::uint32_t sample) const;
  using ByLine = std::map<std::string, HostActivity>;
  void add(const Asked& asked, const IntervalSet& when, Stacks stacks, HostActivity& result,
           ByLine& lines) const;
  // Takes off `left` what is known of a time from spans.
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
  // By chains of a call and a sample: see dispatches().
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> dispatches_;
  std::vector<std::uint32_t> label_;          // by sample
  std::vector<std::uint32_t> label_of_span_;  // by span
  std::vector<std::uint32_t> place_of_span_;  // by span; no_index where it is between no calls
  std::map<std::uint32_t, Thread> threads_;
  std::map<CallAt, std::uint32_t> call_sites_;
  std::vector<std::uint32_t> a_call_at_;  // by call site
  std::map<Place, std::uint32_t> numbers_;
  std::vector<Place> places_;
};

}  // namespace lapscope::analyzer
