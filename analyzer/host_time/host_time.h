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
  lock,          // waits for a lock or for another thread
  process_wait,  // waits for another process
  sleep,
  user,     // code of the program
  other,    // code of libraries that no row of the table fits
  unknown,  // not recorded, or there is no stack
};
inline constexpr std::size_t host_kinds = 11;

std::string_view name_of(HostKind kind);

// A time. In nine of ten cases, the true time is between `least_ns` and `most_ns`.
struct HostShare {
  Ns ns = 0;
  Ns least_ns = 0;
  Ns most_ns = 0;
  std::int64_t samples = 0;  // the number of samples that show the time
  Ns recorded_ns = 0;        // the part of `ns` that spans show exactly
  Ns waiting_ns = 0;         // the part of `ns` in HostThread::waiting
};

// A time whose length is known exactly. Samples divide the time into parts.
struct SampledTime {
  Ns ns = 0;
  // The lengths of the parts are as certain as with this number of independent random samples.
  double independent_samples = 0;
};

// A part of the host time: what one thread did at one line.
struct HostPart {
  HostKind kind = HostKind::unknown;
  ThreadState state = ThreadState::unknown;
  // The function that stands for the stack: the first of these that the stack has. Empty if the
  // stack is not known.
  // - A function of the program, called by a library. For example, a data loader calls a data set.
  // - The innermost function of the program.
  // - The innermost function of a library.
  // - The innermost function of the stack.
  std::string function = {};
  std::string file = {};
  std::int64_t line = 0;       // 0 when not known
  std::string innermost = {};  // the function that ran, if other than `function`
  std::int64_t thread = 0;     // global id
  // The thread that held the lock in most samples, if the part is a wait for a lock. 0 if unknown.
  std::int64_t holder = 0;
  HostShare share = {};
  std::string caller = {};  // for `user`: the program's function that called `function`
};

// What all threads did in one function: the sum over its lines, states and innermost functions.
struct HostFunction {
  HostKind kind = HostKind::unknown;
  std::string function = {};
  std::string file = {};
  // Line, state and holder of the part with the longest time.
  std::int64_t line = 0;
  ThreadState state = ThreadState::unknown;
  std::int64_t holder = 0;
  HostShare share = {};
  // By how much the edit for this kind (find_host_work.h) shortens the scope. Empty if there is no
  // finding.
  std::optional<Ns> saving_ns = std::nullopt;
  std::string caller = {};  // as HostPart::caller
};

struct HostThread {
  std::int64_t global_tid = 0;
  std::int64_t ops = 0;      // the number of ops of the scope that the thread issued
  Ns ns = 0;                 // the time between the thread's calls
  std::int64_t samples = 0;  // the number of samples from which its parts are made
  // The part of `ns` that samples divide. `waiting` is the waiting time at those places for which
  // the thread's processor clock shows the waiting time. `other` is the rest.
  SampledTime waiting;
  SampledTime other;
  // These times come from counters of the Linux kernel, so they are exact. counted_ns: the time
  // between consecutive samples with no call between them. on_cpu_ns: the part of counted_ns in
  // which the thread ran on a processor. ready_ns: the part in which it was ready to run, but had
  // no processor.
  Ns counted_ns = 0;
  Ns on_cpu_ns = 0;
  Ns ready_ns = 0;
  Ns recorded_ns = 0;  // the part of `ns` that spans show exactly
};

// What threads did before their calls at one line.
struct HostSite {
  std::string line;  // as CodePlace::line; empty when not known
  Ns ns = 0;         // exactly the sum of `functions`
  std::vector<HostFunction> functions;
};

// How long a thread was in one call stack, as samples and spans show it.
struct HostStack {
  std::int64_t thread = 0;  // global id
  // The functions with their files, outermost first. Empty if the stack is not known.
  std::vector<std::string> frames;
  HostKind kind = HostKind::unknown;
  ThreadState state = ThreadState::unknown;
  Ns ns = 0;
};

// The number of Python's garbage collections of one generation that ended in the scope's time on
// the host.
struct HostCollections {
  std::uint8_t generation = 0;
  // `least` counts collections that surely ended in this time. `most` also counts collections that
  // ended between a sample in this time and a sample outside this time.
  std::int64_t least = 0;
  std::int64_t most = 0;
};

// What the host threads that issued work of a scope did between their calls.
struct HostActivity {
  Ns ns = 0;                                 // of all threads; exactly the sum of `parts`
  std::int64_t samples = 0;                  // the number of samples of all threads
  Ns interval_ns = 0;                        // the sampling interval; 0 if there are no samples
  Ns window_ns = 0;                          // the length of the scope on the host
  std::int64_t instances = 0;                // iterations or ranges in the scope; 0 when not known
  std::vector<HostThread> threads;           // the main thread first (main_thread())
  std::vector<HostPart> parts;               // longest time first
  std::vector<HostSite> sites;               // longest time first
  std::vector<HostStack> stacks;             // only on request; their sum is exactly `ns`
  Ns recorded_ns = 0;                        // the part of `ns` that spans show exactly
  std::vector<HostCollections> collections;  // by generation; only where `most` > 0
};

// Returns the estimate `ns` with its bounds (Wilson's interval). `ns` is a part of `time`.
HostShare share_of(Ns ns, std::int64_t samples, const SampledTime& time);
// Returns `share` with its bounds. One part of the share is in `thread.waiting`, another part is in
// `thread.other`. The errors of both parts are independent.
HostShare with_bounds(HostShare share, const HostThread& thread);

// Return the sums of the parts by function and by kind, longest time first. If `only` is set, sum
// up only the parts of the thread with this global tid.
std::vector<HostFunction> by_function(const HostActivity& time,
                                      std::optional<std::int64_t> only = std::nullopt);
std::vector<HostFunction> by_kind(const HostActivity& time,
                                  std::optional<std::int64_t> only = std::nullopt);

// Returns the total time of those parts of a thread for which the function is known.
Ns named_ns(const HostActivity& time, const HostThread& thread);
// Returns the thread with the longest time in known functions (named_ns()). Time in unknown
// functions does not count, because a thread may just wait for work there. Of threads with equal
// times, returns the one that issued most ops. Returns null if there are no threads, or if there
// are several and none has known functions.
const HostThread* main_thread(const HostActivity& time);

}  // namespace lapscope::analyzer
