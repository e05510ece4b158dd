#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/ops.h"

// An Advice is a fact that is not part of any finding. The text of a report adds what to do. Most
// facts are of these two kinds:
// - The program lacks a usual step towards more overlap, and no finding is about that step.
// - More streams cannot help the program, for a reason that the fact states.
namespace lapscope::analyzer {

enum class AdviceStep : std::uint8_t {
  managed_memory,
  little_work,
  communication,
  bound,
  few_blocks,
  host_pages,
  pin,
  slow_copies,
  queues,
  graph,
  small_copies,
  resident,
  chunk,
  host,
  independent_work,
  host_time,
};
std::string_view code_of(AdviceStep step);  // stable

// A member of type Share is a part of the scope's wall time, unless its comment names another time.

// The time that kernels lose to managed memory: pages move to or from the kernels' device, or the
// device's page faults are handled.
struct KernelPageWaits {
  static constexpr AdviceStep step = AdviceStep::managed_memory;
  Share share = 0;  // part of the time in which kernels run
  std::int64_t migrations = 0;
  double bytes = 0;
  std::int64_t faults = 0;
  std::string kernel;  // the kernel with the longest waits, summed over its runs
  Ns waited_ns = 0;
  Ns kernel_ns = 0;
};
// The time that the host loses when it touches pages that must first move from a device.
struct HostPageWaits {
  static constexpr AdviceStep step = AdviceStep::host_pages;
  Share share = 0;
  std::int64_t faults = 0;
  std::string function;  // the function that waits longest; may be empty
  Share idle_share = 0;  // part of the waits in which the device is idle
};
struct LittleWork {
  static constexpr AdviceStep step = AdviceStep::little_work;
  Ns busy_ns = 0;
  std::int64_t ops = 0;
  std::string first_op;
  Ns calls_ns = 0;  // from the first CUDA call to the last
};
struct ExposedCommunication {
  static constexpr AdviceStep step = AdviceStep::communication;
  Share share = 0;
  bool is_behind_kernels = false;  // most compute work is in streams that communicate
  // A lower bound for the part of `share` in which communication waits for another rank, or for
  // room on the multiprocessors. It is `share` minus the time that communication would take if each
  // kernel were as quick as the quickest kernel of its name and size.
  Share waiting = 0;
  // An upper bound for the part of `share` in which communication waits. The links need at least
  // the time `links` for all data. They may carry data during all hidden communication, which takes
  // the time `hidden`. They carry the remaining data during exposed communication:
  //   most_waiting = share - max(0, links - hidden) / wall
  // `links` is the time for half of the bytes of a collective, and for all bytes of a message. A
  // rank sends or receives at least these bytes. If the links or the sizes are not known, the bound
  // is `share`.
  Share most_waiting = 0;
};
struct OneCopyEngine {
  static constexpr AdviceStep step = AdviceStep::bound;
  Share share = 0;  // time in which copies run
};
struct BoundByCopies {
  static constexpr AdviceStep step = AdviceStep::bound;
  Engine engine = Engine::h2d;
  Share share = 0;
  double rate = 0;                            // GB/s
  std::optional<double> link = std::nullopt;  // rate of the link, in GB/s; absent when not known
};
struct BoundByKernels {
  static constexpr AdviceStep step = AdviceStep::bound;
  Share share = 0;
  // The part of the kernels' time in which they fill all multiprocessors. Absent if it is below
  // assumed::majority.
  std::optional<double> filling = std::nullopt;
};
struct FewBlocks {
  static constexpr AdviceStep step = AdviceStep::few_blocks;
  Share share = 0;    // time in which kernels run, one after the other
  Share covered = 0;  // part of the multiprocessors that have blocks
};
struct PageableCopies {
  static constexpr AdviceStep step = AdviceStep::pin;
  std::int64_t copies = 0;
  Share share = 0;
  std::optional<Engine> unknown_rate;  // the engine whose rate is not known, see Fix::unknown
};
// Large copies of page-locked memory that are far slower than their link.
struct SlowCopies {
  static constexpr AdviceStep step = AdviceStep::slow_copies;
  Engine engine = Engine::h2d;
  std::int64_t copies = 0;
  Share share = 0;
  double rate = 0;           // GB/s
  double link = 0;           // GB/s that copies reach on their link
  std::string function;      // the function that makes most of the copies
  bool is_of_rows = false;   // `function` copies row by row
  bool is_to_peers = false;  // the copies are between devices
};
struct SharedQueues {
  static constexpr AdviceStep step = AdviceStep::queues;
  Share share = 0;  // time in which ops wait
  std::uint32_t queues = 0;
};
struct GapsBetweenKernels {
  static constexpr AdviceStep step = AdviceStep::graph;
  Share share = 0;
  std::int64_t gaps = 0;
  Ns idle_ns = 0;
};
struct SmallCopies {
  static constexpr AdviceStep step = AdviceStep::small_copies;
  Engine engine = Engine::h2d;
  std::int64_t copies = 0;
  Bytes bytes = 0;
  Share share = 0;
  double rate = 0;           // GB/s
  double rate_of_large = 0;  // GB/s
  Share share_if_large = 0;
};
struct SameSizeBothWays {
  static constexpr AdviceStep step = AdviceStep::resident;
  Bytes bytes = 0;       // of one copy
  std::int64_t in = 0;   // copies to the device
  std::int64_t out = 0;  // copies to the host
  Share share = 0;
};
struct LongCopy {
  static constexpr AdviceStep step = AdviceStep::chunk;
  std::string op;
  Share share = 0;  // time in which nothing runs beside the copy
};
struct BoundByHost {
  static constexpr AdviceStep step = AdviceStep::host;
  Share share = 0;
  std::string_view cause;  // code of the cause
};
struct NothingIndependent {
  static constexpr AdviceStep step = AdviceStep::independent_work;
};
// What host threads ran while the critical path waited for host work between two CUDA calls.
struct HostFunctions {
  static constexpr AdviceStep step = AdviceStep::host_time;
  struct Part {
    std::string function;
    Share share = 0;
    bool is_lock = false;  // the function waits for a lock that another thread holds
  };
  Share share = 0;
  std::vector<Part> parts;    // their shares of that time, largest first
  double off_processor = 0;   // share off the processor, outside recorded functions; 0 if small
  std::int64_t samples = 0;   // taken in that time
  std::vector<Part> sampled;  // their shares of the samples, largest first
};

struct Advice {
  std::variant<KernelPageWaits, HostPageWaits, LittleWork, ExposedCommunication, OneCopyEngine,
               BoundByCopies, BoundByKernels, FewBlocks, PageableCopies, SlowCopies, SharedQueues,
               GapsBetweenKernels, SmallCopies, SameSizeBothWays, LongCopy, BoundByHost,
               NothingIndependent, HostFunctions>
      seen;
  // Whether the advice is about a large part of the wall time, and no finding is about this part.
  bool is_main = false;

  AdviceStep step() const;
};

}  // namespace lapscope::analyzer
