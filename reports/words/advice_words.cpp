
#include <fmt/format.h>

#include <optional>
#include <variant>

#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

constexpr double ns_per_us = 1e3;
constexpr double ns_per_ms = 1e6;

double ms(analyzer::Ns ns) { return static_cast<double>(ns) / ns_per_ms; }

// Formats a duration with one decimal, less precisely than format_ns().
std::string duration(analyzer::Ns ns) {
  const auto length = static_cast<double>(ns);
  return length < ns_per_ms ? fmt::format("{:.1f} us", length / ns_per_us)
                            : fmt::format("{:.1f} ms", ms(ns));
}

std::string_view way_of(analyzer::Engine engine) {
  return engine == analyzer::Engine::h2d   ? "to the device"
         : engine == analyzer::Engine::d2h ? "to the host"
                                           : "within and between devices";
}

// Returns a copy rate, and the link's rate if it is known: "0.2 GB/s of the 55.5 that the link
// carries".
std::string rate_words(double rate, const std::optional<double>& link) {
  std::string text = fmt::format("{:.1f} GB/s", rate);
  if (link) text += fmt::format(" of the {:.1f} that the link carries", *link);
  return text;
}

std::string text_of(const analyzer::KernelPageWaits& seen) {
  std::string of;
  if (seen.migrations > 0) {
    of = fmt::format("{}, {:.1f} MiB", counted(seen.migrations, "migration"),
                     seen.bytes / (1 << 20));
  }
  if (seen.faults > 0) {
    of += (of.empty() ? "" : ", ") + counted(seen.faults, "page fault") + " of the GPU";
  }
  return fmt::format(
      "Pages of managed memory move{} during {:.0f} % of the time in which kernels run ({}): "
      "kernels wait for them, {} for {:.1f} of its {:.1f} ms. Move the data before the launch "
      "(cudaMemPrefetchAsync), or keep it in memory of cudaMalloc.",
      seen.faults > 0 ? ", or faults on them are handled," : "", 100 * seen.share, of, seen.kernel,
      ms(seen.waited_ns), ms(seen.kernel_ns));
}

std::string text_of(const analyzer::HostPageWaits& seen) {
  return fmt::format(
      "For {:.1f} % of the time the host waits for pages of managed memory that it touches while "
      "they are on a GPU ({}{}), and for {:.0f} % of that this GPU is idle. Move results to the "
      "host before it reads them (cudaMemPrefetchAsync to cudaCpuDeviceId), or copy them to memory "
      "of its own.",
      100 * seen.share, counted(seen.faults, "page fault"),
      seen.function.empty() ? "" : ", most in " + seen.function, 100 * seen.idle_share);
}

std::string text_of(const analyzer::LittleWork& seen) {
  return fmt::format(
      "The GPU works for {} ({}) of the {} between the first and the last CUDA call: there is next "
      "to nothing to overlap or to make faster. If the program does more, record more of it.",
      duration(seen.busy_ns), seen.ops == 1 ? seen.first_op : fmt::format("{} ops", seen.ops),
      duration(seen.calls_ns));
}

std::string text_of(const analyzer::ExposedCommunication& seen) {
  const std::string_view why =
      seen.is_behind_kernels
          ? "If its data is ready earlier, issue it then, into a stream of its own, as "
            "DistributedDataParallel does with gradients. As it is, it waits in its stream for all "
            "kernels ahead of it. "
          : "";
  std::string waits;
  if (seen.waiting >= analyzer::assumed::least_saving) {
    waits = fmt::format(
        "For at least {:.1f} % of the time communication waits for another rank or for free "
        "multiprocessors: the quickest kernels of the same name and size take that much less. ",
        100 * seen.waiting);
  }
  if (seen.most_waiting < seen.share &&
      seen.most_waiting - seen.waiting >= analyzer::assumed::least_saving) {
    waits += fmt::format(
        "The links need {:.1f} % of the time for its data: waiting is at most {:.1f} %. ",
        100 * (seen.share - seen.most_waiting), 100 * seen.most_waiting);
  }
  return fmt::format(
      "Communication takes {:.1f} % of the time with no other kernel beside it. {}{}The traces of "
      "all "
      "ranks show for whom it waits: lapscope analyze FOLDER.",
      100 * seen.share, why, waits);
}

std::string text_of(const analyzer::OneCopyEngine& seen) {
  return fmt::format(
      "Copies fill {:.1f} % of the time. This GPU has one copy engine: copies to the device and to "
      "the host never overlap, in whatever streams. Copy less or less often, or keep data on the "
      "device.",
      100 * seen.share);
}

std::string text_of(const analyzer::BoundByCopies& seen) {
  return fmt::format(
      "Copies {} fill {:.1f} % of the time, at {}, and streams do not make a link faster. Copy "
      "less or less often: smaller types, compression, data that stays on the device or is created "
      "there.",
      way_of(seen.engine), 100 * seen.share, rate_words(seen.rate, seen.link));
}

std::string text_of(const analyzer::BoundByKernels& seen) {
  if (seen.filling) {
    return fmt::format(
        "Kernels run {:.1f} % of the time, and those that fill all multiprocessors take {:.0f} % "
        "of that: no other kernel fits beside them. Make them faster, or smaller where others "
        "should overlap with them.",
        100 * seen.share, 100 * *seen.filling);
  }
  return fmt::format(
      "Kernels run {:.1f} % of the time: streams help only where kernels can overlap. Make them "
      "faster, or launch fewer.",
      100 * seen.share);
}

std::string text_of(const analyzer::FewBlocks& seen) {
  return fmt::format(
      "Kernels run {:.1f} % of the time, one after the other, and have blocks on {:.0f} % of the "
      "multiprocessors. Give them more blocks. Put those that do not depend on each other into "
      "streams of their own.",
      100 * seen.share, 100 * seen.covered);
}

std::string text_of(const analyzer::PageableCopies& seen) {
  return fmt::format(
      "{} copies, {:.1f} % of the time, are of pageable memory, for which cudaMemcpyAsync waits "
      "until the driver has taken the data. Page-lock it (cudaMallocHost, cudaHostRegister).{}",
      seen.copies, 100 * seen.share,
      seen.unknown_rate ? " " + unknown_rate_sentences(name_of(*seen.unknown_rate)) : "");
}

std::string text_of(const analyzer::SlowCopies& seen) {
  std::string why =
      ". Look for what slows them: memory of another NUMA node, or a link shared with others.";
  if (seen.is_to_peers) {
    why =
        ", like copies through the host. Let the devices reach each other first "
        "(cudaDeviceEnablePeerAccess).";
  } else if (seen.is_of_rows) {
    why = fmt::format(
        ": {} copies row by row. Copy one contiguous block instead of short rows, and pick the "
        "rows at the destination.",
        seen.function);
  }
  return fmt::format("{} large copies {}, {:.1f} % of the time, go at {:.1f} of {:.1f} GB/s{}",
                     seen.copies, way_of(seen.engine), 100 * seen.share, seen.rate, seen.link, why);
}

std::string text_of(const analyzer::SharedQueues& seen) {
  return fmt::format(
      "For {:.1f} % of the time ops wait for others ahead of them in a hardware queue, and the "
      "program uses all {} of them (CUDA_DEVICE_MAX_CONNECTIONS). Use fewer streams, or issue "
      "breadth first: one kernel for each stream in turn.",
      100 * seen.share, seen.queues);
}

std::string text_of(const analyzer::GapsBetweenKernels& seen) {
  return fmt::format(
      "The GPU is idle for {:.1f} % of the time in {} gaps between kernels that follow each other "
      "in a stream, {:.1f} us each. Launch them in a CUDA graph, where one follows the other "
      "sooner.",
      100 * seen.share, seen.gaps,
      static_cast<double>(seen.idle_ns) / static_cast<double>(seen.gaps) / ns_per_us);
}

std::string text_of(const analyzer::SmallCopies& seen) {
  return fmt::format(
      "{} copies {} of {:.1f} KiB on average take {:.1f} % of the time, at {:.1f} GB/s; as fewer "
      "large ones, at {:.1f} GB/s, they would take {:.1f} %. Fill one buffer on the host and copy "
      "that, for many at once.",
      seen.copies, way_of(seen.engine),
      static_cast<double>(seen.bytes) / static_cast<double>(seen.copies << 10), 100 * seen.share,
      seen.rate, seen.rate_of_large, 100 * seen.share_if_large);
}

std::string text_of(const analyzer::SameSizeBothWays& seen) {
  return fmt::format(
      "{:.1f} MiB go to the device {} times and back {} times, which takes {:.0f} % of the time. "
      "If it is the same data each time, keep it on the device and copy what changed.",
      static_cast<double>(seen.bytes) / (1 << 20), seen.in, seen.out, 100 * seen.share);
}

std::string text_of(const analyzer::LongCopy& seen) {
  return fmt::format(
      "One {} takes {:.1f} % of the time with nothing beside it. Split the data into tiles, a few "
      "for each of two to four streams, so that one is copied while another is processed.",
      seen.op, 100 * seen.share);
}

std::string text_of(const analyzer::BoundByHost& seen) {
  return fmt::format(
      "The GPU waits for the host {:.1f} % of the time ({}), and streams do not make it issue "
      "faster. Issue work further ahead, in fewer calls, or from a dedicated thread.",
      100 * seen.share, seen.cause);
}

std::string text_of(const analyzer::NothingIndependent&) {
  return "No known fix saves enough to be reported: each op waited for work that it needs, or for "
         "the last of several. Streams help only with independent work: another batch, the next "
         "input.";
}

// Lists functions with their shares: "55 % in poll, 12 % in pthread_mutex_lock (a lock that another
// thread holds)".
std::string listed(const std::vector<analyzer::HostFunctions::Part>& parts) {
  std::string list;
  for (const analyzer::HostFunctions::Part& part : parts) {
    list += fmt::format("{}{:.0f} % in {}{}", list.empty() ? "" : ", ", 100 * part.share,
                        part.function, part.is_lock ? " (a lock that another thread holds)" : "");
  }
  return list;
}

std::string text_of(const analyzer::HostFunctions& seen) {
  std::string text = fmt::format(
      "For {:.0f} % of the time the GPU waits for what the host does between its CUDA calls.",
      100 * seen.share);
  std::string in = listed(seen.parts);
  if (seen.off_processor > 0) {
    in += fmt::format("{}{:.0f} % off the processor", in.empty() ? "" : ", ",
                      100 * seen.off_processor);
  }
  if (!in.empty()) text += " Of that the host is " + in + ".";
  if (!seen.sampled.empty()) {
    text += fmt::format(" Of {} samples of the processor taken then, {}.", seen.samples,
                        listed(seen.sampled));
  }
  return text;
}

}  // namespace

std::string sentences_of(const analyzer::Advice& advice, const analyzer::CausesResult& causes) {
  return (causes.sample ? "In the sample: " : "") +
         std::visit([](const auto& seen) { return text_of(seen); }, advice.seen);
}

}  // namespace lapscope::reports
