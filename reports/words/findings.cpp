#include "reports/words/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/words/call_sites.h"
#include "reports/words/host_time_words.h"

namespace lapscope::reports {
namespace {

using analyzer::Cause;
using analyzer::Doing;
using analyzer::FindingResult;
using analyzer::Grounds;
using analyzer::Situation;

// The text of a finding, with %s for the first call site. The first template that fits is used.
struct Template {
  Cause cause;
  bool (*fits)(const Situation& found, const Doing& what);  // null: always
  const char* clause;                                       // the problem, for a headline
  const char* explanation;
  const char* fix;
  const char* caveat;
};

constexpr const char* order_may_matter =
    "The order may protect data: buffers that are reused, results that are read.";

constexpr const char* one_stream =
    "Independent work is in one stream, which runs it in order: %s ran first.";
constexpr const char* chains_are_independent =
    "Assumes that tiles, each of which begins with a copy to the device, are independent, and that "
    "there are buffers for four of them.";

constexpr const char* no_room = "Kernels wait for free multiprocessors: %s occupies them.";
constexpr const char* takes_as_long =
    "Assumes that the kernel takes as long with fewer resources. That holds where latency or its "
    "slowest block bounds it, and not where it uses all that it occupies.";
constexpr const char* takes_longer =
    "Assumes that the kernel takes longer in proportion to the multiprocessors that it leaves to "
    "communication, and that communication needs no more than it was seen to run on.";

constexpr const char* staged =
    "The driver copies the data of %s through a staging buffer, and the call returns only then.";

constexpr const char* copies_staged = "copies of pageable memory go through a staging buffer";

constexpr const char* launches_dominate = "most ops are short and wait for their launches";
constexpr const char* launches_are_long =
    "Launch overhead dominates: most ops are shorter than five such calls and wait for them: %s.";
constexpr const char* capture_them =
    "Capture the calls in a CUDA graph and launch that. Or fuse the kernels.";

// Each fix begins with a sentence that fits on one line of the first screen.
constexpr Template templates[] = {
    {Cause::stream_order,
     [](const Situation& found, const Doing&) { return found.communicates && found.has_tiles(); },
     "collectives, copies and kernels of all tiles share one stream", one_stream,
     "Put collectives in a stream of their own, and each tile too. Order the collectives with an "
     "event; issue the tiles in turn, each with a buffer of its own.",
     chains_are_independent},
    {Cause::stream_order,
     [](const Situation& found, const Doing&) {
       return found.has(Grounds::data_on_host) && !found.has_tiles();
     },
     "copies to the device wait in their stream for kernels that they do not need",
     "A copy to the device waits in its stream for kernels of which it needs nothing: %s.",
     "Copy in a stream of its own, into the next buffer. Let the kernels that use it wait for an "
     "event after the copy, and the copy wait for the last kernel that used the buffer. Where the "
     "kernels are in the legacy default stream, make the other one with cudaStreamNonBlocking.",
     "Assumes that nothing changes the data on the host after the copy is issued, and that there "
     "is memory for a second buffer."},
    {Cause::stream_order,
     [](const Situation& found, const Doing&) {
       return found.has(Grounds::result_unread) && !found.has_tiles();
     },
     "work waits in its stream for copies to the host that it does not need",
     "Work waits in its stream for a copy to the host of which it needs nothing: %s.",
     "Copy results out in a stream of its own, from the other of two buffers. Let the copy wait "
     "for an event after the kernel that writes the buffer. Let the next kernel that writes it "
     "wait for the copy. Where the kernels are in the legacy default stream, make the other one "
     "with cudaStreamNonBlocking.",
     "Assumes that no kernel reads the memory of the host that is copied to, and that there is "
     "memory for a second buffer."},
    {Cause::stream_order, [](const Situation& found, const Doing&) { return found.communicates; },
     "collectives share one stream with independent work", one_stream,
     "Put collectives in a stream of their own, ordered by an event. Let the work that needs their "
     "results wait for another event.",
     "Assumes that no later work needs what was communicated."},
    {Cause::stream_order, [](const Situation& found, const Doing&) { return found.has_tiles(); },
     "copies and kernels of all tiles share one stream", one_stream,
     "Give each tile in flight its own stream and buffer. Issue the tiles to them in turn.",
     chains_are_independent},
    {Cause::stream_order, [](const Situation& found, const Doing&) { return found.has_graphs; },
     "independent graphs share one stream", one_stream,
     "Launch independent graphs in streams of their own. Launches of one executable graph never "
     "overlap: instantiate it once for each stream.",
     order_may_matter},
    {Cause::stream_order, nullptr, "independent work shares one stream", one_stream,
     "Put independent work in another stream. Make that wait for an event where it depends on this "
     "one.",
     order_may_matter},
    {Cause::default_stream_barrier, nullptr,
     "the legacy default stream and blocking streams wait for each other",
     "The legacy default stream waits for all work in blocking streams, and they wait for it: %s "
     "separates them.",
     "Issue this work to a stream made with cudaStreamNonBlocking. Or compile with "
     "--default-stream per-thread. If copies before or after this work move its data, use their "
     "stream. Pass libraries a stream (cublasSetStream, "
     "thrust::cuda::par_nosync.on).",
     order_may_matter},
    {Cause::event_wait, nullptr, "streams wait for events after work that they do not need",
     "Streams wait for an event (cudaStreamWaitEvent) that was recorded after %s, whose results "
     "they do not seem to need.",
     "Record the event right after the last work that is needed. Wait for it right before the work "
     "that needs it, and remove the other waits.",
     order_may_matter},
    {Cause::copy_engine, [](const Situation& found, const Doing&) { return found.link_bound; },
     "the link copies in one direction nearly all of the time",
     "Streams that only copy in one direction share its copy engine, which is busy nearly all of "
     "the time: the link is the bound. %s occupied it.",
     "Copy fewer bytes, or create data on the device. More streams and another order do not help; "
     "work that can use the other direction does.",
     "Assumes that enough copies can use the other direction to balance both, which is the best "
     "case."},
    {Cause::copy_engine, nullptr, "streams share the engine that copies in one direction",
     "Streams that only copy in one direction share its copy engine: %s occupied it.",
     "Copy less, or overlap copies with the other direction and kernels. More streams do not help; "
     "data that is created on the device does.",
     "Assumes that enough copies can use the other direction to balance both, which is the best "
     "case."},
    {Cause::small_copies, nullptr, "small copies take longer to start than to transfer",
     "Small copies follow each other, and each takes longer to start than to transfer: %s.",
     "Batch them: one buffer on the host, one copy. Rows at a fixed pitch are one "
     "cudaMemcpy2DAsync.",
     "Assumes that the data can be created contiguously, without a gather on the host."},
    {Cause::sm_saturated, [](const Situation& found, const Doing&) { return found.communicates; },
     "communication waits for free multiprocessors", no_room,
     "Launch the kernels beside communication with fewer blocks. Leave it as many multiprocessors "
     "as it has blocks on; if that many were free already, as many again. A higher priority of its "
     "stream does not free multiprocessors.",
     takes_longer},
    {Cause::sm_saturated, [](const Situation& found, const Doing&) { return found.goes_first; },
     "kernels of higher priority wait for free multiprocessors", no_room,
     "Launch it with fewer blocks or less shared memory per block. The stream that waits has the "
     "higher priority already, which does not free multiprocessors.",
     takes_as_long},
    {Cause::sm_saturated, [](const Situation& found, const Doing&) { return found.in_waves; },
     "kernels wait for free multiprocessors", no_room,
     "Raise the waiting stream's priority (cudaStreamCreateWithPriority). Or launch that "
     "kernel with fewer blocks.",
     takes_as_long},
    {Cause::sm_saturated, nullptr, "kernels wait for free multiprocessors", no_room,
     "Launch it with fewer blocks or less shared memory per block. Or raise the waiting "
     "stream's priority (cudaStreamCreateWithPriority).",
     takes_as_long},
    {Cause::queue_alias, nullptr, "streams share a hardware queue",
     "Streams share a hardware queue, which starts work in the order of issue: %s was ahead.",
     "Set CUDA_DEVICE_MAX_CONNECTIONS to 32 before CUDA starts. Or use fewer streams, or issue "
     "breadth first: one kernel for each stream in turn.",
     ""},
    {Cause::host_func, nullptr, "work waits for host functions",
     "A host function (cudaLaunchHostFunc) blocks the work after it; one driver thread runs those "
     "of all streams.",
     "Record an event instead, and do this work in another host thread.",
     "Assumes that no later work needs what the function does."},
    {Cause::graph_edge, nullptr, "edges of the graph run its nodes one after the other",
     "The graph's edges run its nodes one after the other: %s ran first.",
     "Capture independent work from several streams. Fork with an event and join with another, or "
     "add the nodes without that dependency.",
     order_may_matter},
    {Cause::graph_exec_reuse, nullptr, "launches of one executable graph never overlap",
     "Launches of one executable graph never overlap, whatever streams they are in: %s ran first.",
     "Instantiate the graph once for each stream. Give each instance buffers of its own "
     "(cudaGraphInstantiate).",
     "Assumes that the launches are independent: nodes of one executable graph use the same memory "
     "each time, unless their parameters are set in between."},
    {Cause::host_sync, nullptr, "the host waits for the device before it issues the next work",
     "The host waits in %s before it issues the next work.",
     "Issue all work first, and wait once at the end. Where the host needs a result, wait for that "
     "event alone, one tile behind.",
     order_may_matter},
    {Cause::pageable_copy, [](const Situation& found, const Doing&) { return found.copies_block; },
     copies_staged, staged,
     "Use page-locked memory (cudaMallocHost) and cudaMemcpyAsync. Allocate it once, or page-lock "
     "it with cudaHostRegister, before the loop. Wait for an event before the host reads the "
     "result or reuses the buffer.",
     "Calls of cudaMemcpy still wait for their copies; those of cudaMemcpyAsync are assumed to "
     "return at once, and the host not to rely on their completion."},
    {Cause::pageable_copy, nullptr, copies_staged, staged,
     "Use page-locked memory (cudaMallocHost, cudaHostRegister). Allocate it once, before the "
     "loop. Wait for an event before the host reads the result or reuses the buffer.",
     "Assumes that the host does not rely on cudaMemcpyAsync to have completed: with page-locked "
     "memory it returns at once."},
    {Cause::alloc_free,
     [](const Situation&, const Doing& what) { return what.detail == Doing::Detail::pool; },
     "the memory pool gives its memory back at each synchronization",
     "Calls of %s take host time: the pool returns its memory to the driver at each "
     "synchronization, unless it has a release threshold.",
     "Let the pool keep its memory (cudaMemPoolAttrReleaseThreshold). Or allocate once, before the "
     "loop.",
     "Assumes that all iterations can use the same memory."},
    {Cause::alloc_free, nullptr, "the GPU waits while memory is allocated and freed",
     "Calls of %s take host time, and freeing waits until the device is idle.",
     "Allocate before the loop and free after it. Or use cudaMallocAsync and cudaFreeAsync with a "
     "pool that keeps its memory (cudaMemPoolAttrReleaseThreshold).",
     "Assumes that all iterations can use the same memory, and that the program does not rely on "
     "cudaFree to wait for the device."},
    {Cause::host_pinning, nullptr, "the GPU waits while memory is page-locked",
     "Calls of %s take host time, and freeing page-locked memory waits until the device is idle.",
     "Page-lock memory once, before the loop, and reuse the buffers.",
     "Assumes that all iterations can use the same buffers, and that the program does not rely on "
     "cudaFreeHost or cudaHostUnregister to wait for the device."},
    {Cause::module_load, nullptr, "CUDA loads code at its first use",
     "CUDA loads code at its first use, which blocks all streams: %s.",
     "Launch each kernel once during set-up. Or set CUDA_MODULE_LOADING=EAGER.", ""},
    {Cause::launch_blocking, nullptr, "each launch waits for its work to end",
     "Each launch waits for its work to end (%s), as with CUDA_LAUNCH_BLOCKING=1.",
     "Unset CUDA_LAUNCH_BLOCKING outside of debugging.", ""},
    {Cause::launch_overhead,
     [](const Situation& found, const Doing&) { return found.is_corrected; }, launches_dominate,
     launches_are_long, capture_them, ""},
    {Cause::launch_overhead, nullptr, launches_dominate, launches_are_long, capture_them,
     "Calls take longer while they are recorded: without the recorder the saving is smaller."},
    {Cause::host_compute,
     [](const Situation& found, const Doing& what) {
       return found.sleeps && what.kind == Doing::Kind::host_code;
     },
     "the GPU waits for a thread that sleeps between CUDA calls",
     "The GPU waits while a thread sleeps between CUDA calls, for most of that time: %s.",
     "Find what the thread waits for: input, a lock, another thread or process. Have that ready "
     "earlier, for instance with more workers that load data.",
     "Where other threads or programs had its processor, the same is recorded."},
    {Cause::host_compute,
     [](const Situation&, const Doing& what) { return what.kind == Doing::Kind::host_code; },
     "the GPU waits for CPU code between CUDA calls",
     "The GPU waits for CPU code between CUDA calls: %s.",
     "Issue work further ahead, or do this CPU work in another thread.", order_may_matter},
    {Cause::host_compute, nullptr, "the GPU waits for calls of CUDA",
     "Calls of %s take host time before the next work is issued.",
     "Make these calls once, outside the loop, and reuse what they create or return.",
     order_may_matter},
    {Cause::lock, nullptr, "threads take turns, as if each held a lock",
     "Threads that do the same work take turns, as if each held a lock while it launches and "
     "waits: %s.",
     "Release the lock before the thread waits for the GPU. Hold it only around the data that "
     "threads share.",
     "Assumes that a lock is all that the threads wait for. Python's interpreter has one, too, and "
     "a thread that needs what another one computed looks the same."},
};

const Template* template_of(const FindingResult& finding) {
  const auto cause = analyzer::cause_of_code(finding.code);
  const auto fits = [&](const Template& known) {
    return known.cause == cause && (!known.fits || known.fits(finding.situation, finding.what));
  };
  const auto* found = std::find_if(std::begin(templates), std::end(templates), fits);
  return found == std::end(templates) ? nullptr : found;
}

// Whether samples show what the host did.
bool is_named(const FindingResult& finding) {
  return finding.host_work && finding.host_work->is_named &&
         finding.what.kind == Doing::Kind::host_code;
}

// If a second fix increases the saving of this fix, returns a sentence that names the second fix.
std::string only_with(const FindingResult& finding) {
  const auto then = analyzer::cause_of_code(finding.then_also);
  if (!then) return "";
  return fmt::format(" That alone is too little; then also {}: {}.", finding.then_also,
                     change_of(*then));
}

}  // namespace

std::string function_of(const FindingResult& finding) {
  return is_named(finding) ? function_of(*finding.host_work) : "";
}

std::string clause_of(const FindingResult& finding) {
  if (is_named(finding)) return clause_of(*finding.host_work);
  const Template* known = template_of(finding);
  return known ? known->clause : "";
}

std::string_view clause_of(std::string_view code) {
  const auto cause = analyzer::cause_of_code(code);
  // The templates of host_compute depend on what the host did, which is unknown here. The four
  // causes after it have no templates.
  if (cause == Cause::host_compute) return "the GPU waits for CPU code between CUDA calls";
  if (cause == Cause::host_call) return "the GPU waits for calls of CUDA";
  if (cause == Cause::launch_latency) return "work is on its way from the host to the GPU";
  if (cause == Cause::profiler) return "recording delays the host";
  if (cause == Cause::not_issued) return "no more work is issued";
  const auto* found = std::find_if(
      std::begin(templates), std::end(templates),
      [&](const Template& known) { return known.cause == cause && known.fits == nullptr; });
  return found == std::end(templates) ? "no cause explains it" : found->clause;
}

std::string explanation_of(const FindingResult& finding) {
  if (is_named(finding)) {
    return "The GPU waits for CPU code between CUDA calls: " + words_of(*finding.host_work) + ".";
  }
  const Template* known = template_of(finding);
  std::string text = known ? known->explanation : "";
  const std::size_t at = text.find("%s");
  if (at == std::string::npos) return text;
  std::string site = words_of(finding.what);
  if (!finding.sites.empty() && !finding.sites.front().range.empty()) {
    site += " in range '" + finding.sites.front().range + "'";
  }
  return text.replace(at, 2, site);
}

std::string fix_of(const FindingResult& finding) {
  const Template* known = template_of(finding);
  if (!known) return "";
  const std::string_view host = is_named(finding) ? fix_of(*finding.host_work) : "";
  return (host.empty() ? known->fix : std::string(host)) + only_with(finding);
}

// Adds the first sentence of `text`, and each sentence that begins with "Or".
void add_sentences(std::string_view text, Fixes& fixes) {
  constexpr std::string_view either = "Or ";
  for (bool is_first = true; !text.empty(); is_first = false) {
    const std::size_t end = std::min(text.find(". "), text.size() - 1);
    const std::string_view sentence = text.substr(0, end + 1);
    if (is_first) {
      fixes.all.push_back({std::string(sentence), ""});
    } else if (sentence.starts_with(either)) {
      fixes.all.push_back({std::string(sentence.substr(either.size())), ""});
    }
    text.remove_prefix(std::min(end + 2, text.size()));
  }
}

Fixes fixes_of(const FindingResult& finding) {
  Fixes fixes;
  // If samples name the host's work, the most suitable fix is for this work.
  if (is_named(finding)) add_sentences(fix_of(*finding.host_work), fixes);
  for (const FrameworkAdvice& one : framework_advice(finding)) {
    fixes.all.push_back({std::string(one.text), one.line});
  }
  fixes.in_words_of_framework = !fixes.all.empty();
  if (fixes.in_words_of_framework) return fixes;
  const Template* known = template_of(finding);
  if (known) add_sentences(known->fix, fixes);
  return fixes;
}

std::string all_fixes_of(const FindingResult& finding) {
  const Fixes fixes = fixes_of(finding);
  if (!fixes.in_words_of_framework) return fix_of(finding);
  std::string text;
  for (const Fixes::One& one : fixes.all) {
    text += (text.empty() ? "" : "Or: ") + one.text;
    text += one.line.empty() ? " " : " (" + one.line + ") ";
  }
  if (is_named(finding)) return text.substr(0, text.size() - 1) + only_with(finding);
  return text + "In terms of CUDA: " + fix_of(finding);
}

std::string_view caveat_of(const FindingResult& finding) {
  const Template* known = template_of(finding);
  return known ? known->caveat : "";
}

}  // namespace lapscope::reports
