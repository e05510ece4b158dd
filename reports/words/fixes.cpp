#include "reports/words/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/model/assumptions.h"

namespace lapscope::reports {
namespace {

using analyzer::Cause;

struct FixWords {
  Cause cause;
  std::string_view change;
  std::string_view number;
};

constexpr FixWords words_of_fixes[] = {
    {Cause::stream_order, "independent work of a stream gets streams of its own",
     "how many; 4 if left out"},
    {Cause::default_stream_barrier,
     "work of the legacy default stream moves to a non-blocking stream", ""},
    {Cause::event_wait, "streams skip waits for events that no data seems to need",
     "1 to skip all waits"},
    {Cause::copy_engine,
     "copies that wait for the engine use the other direction, until both are balanced", ""},
    {Cause::small_copies, "consecutive copies become one copy of all their bytes", ""},
    {Cause::sm_saturated, "kernels leave multiprocessors to those of other streams", ""},
    {Cause::queue_alias, "streams use more hardware queues",
     "how many; 32 if left out, the maximum"},
    {Cause::host_func, "no op waits for a host function: other threads do its work", ""},
    {Cause::graph_edge, "nodes of a graph are independent of each other", ""},
    {Cause::graph_exec_reuse, "each stream has an executable graph of its own", ""},
    {Cause::host_sync, "the host does not wait for the device between its calls",
     "instead, each wait is for what the N-th wait before it waited for"},
    {Cause::pageable_copy, "pageable memory is page-locked", ""},
    {Cause::alloc_free, "device memory is allocated before and released after the loop",
     "1 to include calls that are made once"},
    {Cause::host_pinning, "page-locked memory is allocated before and released after the loop",
     "1 to include calls that are made once"},
    {Cause::module_load, "code is loaded during set-up", ""},
    {Cause::launch_blocking, "launches return at once", ""},
    {Cause::launch_overhead, "consecutive calls become one graph launch", ""},
    {Cause::host_compute, "another thread does the CPU work, and the calls that issue nothing",
     "1 to include work that is done once"},
    {Cause::lock, "no lock is held around calls that launch and wait", ""},
};

const FixWords& words_of(Cause cause) {
  static constexpr FixWords none{};
  const auto* found = std::find_if(std::begin(words_of_fixes), std::end(words_of_fixes),
                                   [cause](const FixWords& one) { return one.cause == cause; });
  return found == std::end(words_of_fixes) ? none : *found;
}

}  // namespace

std::string_view change_of(Cause cause) { return words_of(cause).change; }

std::string_view number_of(Cause cause) { return words_of(cause).number; }

std::string unknown_rate_sentences(std::string_view engine) {
  return fmt::format(
      "The speed of {0} copies of page-locked memory is unknown: the trace has neither one of "
      "{1} MiB or more, nor the rate of the link. Record one, or give the speed-up of these "
      "copies (whatif --scale {0}=FACTOR).",
      engine, analyzer::assumed::large_copy >> 20);
}

}  // namespace lapscope::reports
