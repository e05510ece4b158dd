#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/ops.h"

// Steps on the usual way to overlapping work that a program has not taken and no finding is about,
// or why streams do not help it further: what was seen. Reports say what to do.
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

// Shares are parts of the scope's wall time, unless something else is said.

// What kernels lose to managed memory: the time in which its pages move to or from their device, or
// faults of the device on them are handled.
struct KernelPageWaits {
  static constexpr AdviceStep step = AdviceStep::managed_memory;
  Share share = 0;  // of the time in which kernels run
  std::int64_t migrations = 0;
  double bytes = 0;
  std::int64_t faults = 0;
  std::string kernel;  // that waits longest, in all its runs
  Ns waited_ns = 0;
  Ns kernel_ns = 0;
};
// What the host loses to pages that it touches and that have to come from a device first.
struct HostPageWaits {
  static constexpr AdviceStep step = AdviceStep::host_pages;
  Share share = 0;
  std::int64_t faults = 0;
  std::string function;  // that waits longest; may be empty
  Share idle_share = 0;  // of the waits: the device is idle
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
  bool is_behind_kernels = false;  // most of what computes is in its streams
  // The part of `share`, at least, by which all communication takes longer than if each kernel took
  // as long as the quickest of its name and size: it waits for another rank, or for room on the
  // multiprocessors.
  Share waiting = 0;
};
struct OneCopyEngine {
  static constexpr AdviceStep step = AdviceStep::bound;
  Share share = 0;  // copies run
};
struct BoundByCopies {
  static constexpr AdviceStep step = AdviceStep::bound;
  Engine engine = Engine::h2d;
  Share share = 0;
  double rate = 0;                            // GB/s
  std::optional<double> link = std::nullopt;  // of its link, likewise; where known
};
struct BoundByKernels {
  static constexpr AdviceStep step = AdviceStep::bound;
  Share share = 0;
  // The part of the kernels' time in which kernels fill all multiprocessors, where this is most.
  std::optional<double> filling = std::nullopt;
};
struct FewBlocks {
  static constexpr AdviceStep step = AdviceStep::few_blocks;
  Share share = 0;    // kernels run, one after the other
  Share covered = 0;  // of the multiprocessors
};
struct PageableCopies {
  static constexpr AdviceStep step = AdviceStep::pin;
  std::int64_t copies = 0;
  Share share = 0;
  std::optional<Engine> unknown_rate;  // as of Fix::unknown
};
// Large copies of page-locked memory that are far slower than their link.
struct SlowCopies {
  static constexpr AdviceStep step = AdviceStep::slow_copies;
  Engine engine = Engine::h2d;
  std::int64_t copies = 0;
  Share share = 0;
  double rate = 0;           // GB/s
  double link = 0;           // likewise: what copies reach on it
  std::string function;      // that makes most of them
  bool is_of_rows = false;   // which copies row by row
  bool is_to_peers = false;  // they are between devices
};
struct SharedQueues {
  static constexpr AdviceStep step = AdviceStep::queues;
  Share share = 0;  // ops wait
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
  Bytes bytes = 0;      // of one copy
  std::int64_t in = 0;  // times
  std::int64_t out = 0;
  Share share = 0;
};
struct LongCopy {
  static constexpr AdviceStep step = AdviceStep::chunk;
  std::string op;
  Share share = 0;  // with nothing beside it
};
struct BoundByHost {
  static constexpr AdviceStep step = AdviceStep::host;
  Share share = 0;
  std::string_view cause;  // code
};
struct NothingIndependent {
  static constexpr AdviceStep step = AdviceStep::independent_work;
};
// In what functions the host was while the critical path waited for what it did between calls.
struct HostFunctions {
  static constexpr AdviceStep step = AdviceStep::host_time;
  struct Part {
    std::string function;
    Share share = 0;
    bool is_lock = false;  // that another thread holds
  };
  Share share = 0;
  std::vector<Part> parts;   // of that time; most first
  double off_processor = 0;  // likewise, outside of these functions; 0 where it is not worth a word
  std::int64_t samples = 0;  // taken in that time
  std::vector<Part> sampled;  // of these
};

struct Advice {
  std::variant<KernelPageWaits, HostPageWaits, LittleWork, ExposedCommunication, OneCopyEngine,
               BoundByCopies, BoundByKernels, FewBlocks, PageableCopies, SlowCopies, SharedQueues,
               GapsBetweenKernels, SmallCopies, SameSizeBothWays, LongCopy, BoundByHost,
               NothingIndependent, HostFunctions>
      seen;
  // It is about a large part of the time, for which no finding is: there is something to put right.
  bool is_main = false;

  AdviceStep step() const {
    return std::visit([](const auto& one) { return one.step; }, seen);
  }
};

}  // namespace lapscope::analyzer
