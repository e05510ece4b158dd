#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/host_samples.h"

// What threads did between their CUDA calls, as plain values.
namespace lapscope::analyzer {

enum class HostKind : std::uint8_t {
  data_loading,
  dispatch,  // an array library issues its operators
  optimizer,
  garbage_collection,
  logging_and_io,
  lock,          // waits for one, or for a thread
  process_wait,  // waits for a process
  sleep,
  user,     // code of the program
  other,    // code of libraries that no row has
  unknown,  // not recorded, or there is no stack
};
inline constexpr std::size_t host_kinds = 11;

std::string_view name_of(HostKind kind);

// How much it is for sure: from so many samples, nine of ten times between these.
struct HostShare {
  Ns ns = 0;
  Ns least_ns = 0;
  Ns most_ns = 0;
  std::int64_t samples = 0;  // that say so
  Ns recorded_ns = 0;        // of ns, recorded from begin to end: no samples show it
};

// A part of the host time: what one thread did at one line.
struct HostPart {
  HostKind kind = HostKind::unknown;
  ThreadState state = ThreadState::unknown;
  // The innermost function that is the program's own, or a library's where there is none; where
  // there is neither, the innermost one. Of what a library called back, as a loader does a data
  // set, the function that it called. Empty when not known.
  std::string function = {};
  std::string file = {};
  std::int64_t line = 0;       // 0 when not known
  std::string innermost = {};  // the function that ran, where that is another one
  std::int64_t thread = 0;     // global id
  std::int64_t holder = 0;     // thread that held what most samples waited for; 0 when not known
  HostShare share = {};
  std::string caller = {};  // of `user`: the other function of the program that called this one
};

// What all threads did in one function: parts that differ in line, state or what it called.
struct HostFunction {
  HostKind kind = HostKind::unknown;
  std::string function = {};
  std::string file = {};
  std::int64_t line = 0;                     // where most of it was
  ThreadState state = ThreadState::unknown;  // likewise
  std::int64_t holder = 0;                   // likewise
  HostShare share = {};
  // For what a finding names: what the scope saves with the edit for its kind (host_edits.h).
  std::optional<Ns> saving_ns = std::nullopt;
  std::string caller = {};  // as of a part
};

// One thread of a scope.
struct HostThread {
  std::int64_t global_tid = 0;
  std::int64_t ops = 0;            // of the scope, that it issued
  Ns ns = 0;                       // between its calls
  std::int64_t samples = 0;        // that its parts rest on
  Ns known_ns = 0;                 // of ns, that samples show
  double independent_samples = 0;  // as certain as so many of the whole
  // Between two samples that no call was made between: so long, of which it was on a processor, or
  // ready and without one, as the kernel counts it. Exact.
  Ns counted_ns = 0;
  Ns on_cpu_ns = 0;
  Ns ready_ns = 0;
  Ns recorded_ns = 0;  // of ns, recorded from begin to end: its parts have no doubt
};

// What was done before the calls at one line.
struct HostSite {
  std::string line;  // as CodePlace::line; empty when not known
  Ns ns = 0;         // parts sum to it exactly
  std::vector<HostFunction> functions;
};

// How long a thread was in one stack, by what was seen of it.
struct HostStack {
  std::int64_t thread = 0;          // global id
  std::vector<std::string> frames;  // functions with their file, outermost first; empty: not known
  HostKind kind = HostKind::unknown;
  ThreadState state = ThreadState::unknown;
  Ns ns = 0;
};

// Collections of garbage of one generation of Python that ended in a scope's time on the host.
struct HostCollections {
  std::uint8_t generation = 0;
  // `least`: the collections that surely ended in that time. `most` also has those that ended
  // between two samples of which only one was in that time.
  std::int64_t least = 0;
  std::int64_t most = 0;
};

// The time between calls of the threads that issued a scope's work.
struct HostActivity {
  Ns ns = 0;                                 // of all threads; the parts sum to it exactly
  std::int64_t samples = 0;                  // that it rests on
  Ns interval_ns = 0;                        // between two samples; 0 when there are none
  Ns window_ns = 0;                          // of the scope, on the host
  std::int64_t instances = 0;                // iterations or ranges in it; 0 when not known
  std::vector<HostThread> threads;           // the main one first
  std::vector<HostPart> parts;               // most first
  std::vector<HostSite> sites;               // most first
  std::vector<HostStack> stacks;             // where asked for; they sum to ns exactly
  Ns recorded_ns = 0;                        // of ns, recorded from begin to end
  std::vector<HostCollections> collections;  // by generation; those of which there may be some
};

// What a part is between nine of ten times (Wilson's interval), of `known_ns`, which so many
// samples represent.
HostShare share_of(Ns ns, std::int64_t samples, Ns known_ns, double independent_samples);
// The share of a part that is known from samples, and from records from begin to end.
HostShare share_of(Ns ns, Ns recorded_ns, std::int64_t samples, const HostThread& thread);

// Parts as functions, or as kinds without one, most first.
std::vector<HostFunction> by_function(const HostActivity& time);
std::vector<HostFunction> by_kind(const HostActivity& time);
// The functions or kinds of one thread.
std::vector<HostFunction> by_function(const HostActivity& time, std::int64_t global_tid);
std::vector<HostFunction> by_kind(const HostActivity& time, std::int64_t global_tid);

// What a thread did of which the function is known.
Ns named_ns(const HostActivity& time, const HostThread& thread);
// The thread that does most of what has a name, or of those alike the one that issued most ops:
// one that only waits to be given work is not what a program waits for. Null when there is none.
const HostThread* main_thread(const HostActivity& time);

}  // namespace lapscope::analyzer
