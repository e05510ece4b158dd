#include "analyzer/findings/sentences.h"

#include <algorithm>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

bool communicates(const Graph& graph, std::uint32_t t) {
  return graph.tasks[t].engine == Engine::compute && graph.tasks[t].communicates;
}

// Whether those that wait have a stream of higher priority than those that take the room.
bool goes_first(const Graph& graph, const Held& held) {
  const auto priority = [&graph](std::uint32_t t) {
    return graph.streams[graph.tasks[t].stream].priority;
  };
  const auto goes = [&](const HeldTask& one) {
    const std::uint32_t from = graph.bindings[one.task].from;
    return from != no_index && priority(one.task) < priority(from);
  };
  return !held.tasks.empty() && std::all_of(held.tasks.begin(), held.tasks.end(), goes);
}

bool copies_block(const Sources& sources, const Held& held) {
  return std::any_of(held.tasks.begin(), held.tasks.end(), [&](const HeldTask& one) {
    const Task& task = sources.graph.tasks[one.task];
    return is_pageable(sources.trace, task) && task.step != no_index &&
           sources.trace.calls.kind[sources.graph.steps[task.step].call] == CallKind::copy_blocking;
  });
}

bool is_between_communication_and_others(const Graph& graph, const Held& held) {
  return std::any_of(held.tasks.begin(), held.tasks.end(), [&graph](const HeldTask& one) {
    const std::uint32_t from = graph.bindings[one.task].from;
    return from != no_index && communicates(graph, one.task) != communicates(graph, from);
  });
}

}  // namespace

Situation situation_of(const Sources& sources, const GraphScope& scope, Cause cause,
                       const Held& held, const Tiles& tiles, const CausesResult& result) {
  const Graph& graph = sources.graph;
  Situation situation;
  if (cause == Cause::sm_saturated) {
    situation.communicates = is_between_communication_and_others(graph, held);
    situation.goes_first = goes_first(graph, held);
  } else {
    situation.communicates =
        std::any_of(scope.tasks.begin(), scope.tasks.end(),
                    [&graph](std::uint32_t t) { return communicates(graph, t); });
  }
  if (cause == Cause::stream_order) {
    for (const HeldTask& one : held.tasks) {
      const Task& task = graph.tasks[one.task];
      situation.has_tiles |= tiles.begins_alone(task);
      situation.has_graphs |= task.step != no_index && graph.steps[task.step].is_graph_launch;
    }
  }
  situation.is_corrected = sources.as_recorded != nullptr;
  situation.copies_block = copies_block(sources, held);
  situation.link_bound = result.bound_by != name_of(Engine::compute) && !result.bound_by.empty() &&
                         result.bound_share >= assumed::bound_link;
  return situation;
}

namespace {

// %s is the first call site. Of those whose site and situation fit the first is taken.
struct Template {
  Cause cause;
  const char* site;                      // what the call site's name must hold
  bool (*fits)(const Situation& found);  // null: always
  const char* explanation;
  const char* fix;
  const char* caveat;
};

constexpr const char* order_may_matter =
    "The order may be needed for the data: buffers that are used again, results that are read.";

constexpr const char* one_stream =
    "Work that could run side by side is in one stream, which runs it in order: %s ran first.";
constexpr const char* chains_are_independent =
    "Assumes that chains which begin with a copy in do not need each other's results, and that "
    "there are buffers for four of them.";

constexpr const char* no_room =
    "Kernels find no room on the multiprocessors: %s takes it until its end.";
constexpr const char* takes_as_long =
    "Assumes that the kernel takes as long with less room, which holds where latency or its "
    "slowest block bounds it and not where it uses all that it takes.";
constexpr const char* takes_longer =
    "Assumes that the kernel takes longer in proportion to the multiprocessors that it leaves to "
    "communication, and that communication needs no more than it was seen to run on.";

constexpr const char* staged =
    "The driver passes the data of %s through a buffer of its own, and the call returns when that "
    "is done.";

constexpr const char* launches_are_long =
    "The host issues ops that are mostly shorter than five such calls, and they wait for it: %s.";
constexpr const char* capture_them =
    "Capture the calls in a CUDA graph and launch that, or fuse the kernels.";

constexpr Template templates[] = {
    {Cause::stream_order, "",
     [](const Situation& found) { return found.communicates && found.has_tiles; }, one_stream,
     "Give collectives a stream of their own and make it wait for an event; give each tile in "
     "flight a stream and a buffer of its own, and issue the tiles to them in turn.",
     chains_are_independent},
    {Cause::stream_order, "", [](const Situation& found) { return found.communicates; }, one_stream,
     "Give collectives a stream of their own and make it wait for an event; let the work that "
     "needs "
     "their results wait for another.",
     "Assumes that no work needs what was communicated before it."},
    {Cause::stream_order, "", [](const Situation& found) { return found.has_tiles; }, one_stream,
     "Give each tile in flight a stream and a buffer of its own, and issue the tiles to them in "
     "turn.",
     chains_are_independent},
    {Cause::stream_order, "", [](const Situation& found) { return found.has_graphs; }, one_stream,
     "Launch graphs that do not depend on each other in streams of their own. Launches of one "
     "executable graph never run side by side: instantiate it once for each stream.",
     order_may_matter},
    {Cause::stream_order, "", nullptr, one_stream,
     "Put what does not depend on it into a stream of its own, and make that wait for an event "
     "where it does.",
     order_may_matter},
    {Cause::default_stream_barrier, "", nullptr,
     "The legacy default stream waits for all work in blocking streams, and they wait for it: %s "
     "stands between the streams.",
     "Issue that work to a stream of its own, make the others with cudaStreamNonBlocking, or "
     "compile "
     "with --default-stream per-thread; tell libraries their stream (cublasSetStream, "
     "thrust::cuda::par_nosync.on).",
     order_may_matter},
    {Cause::event_wait, "", nullptr,
     "Streams wait for an event (cudaStreamWaitEvent) although %s, which it stands for, makes "
     "nothing that they seem to need.",
     "Record the event right behind the last work that is needed, wait for it right before the "
     "work "
     "that needs it, and drop the waits for anything else.",
     order_may_matter},
    {Cause::copy_engine, "", [](const Situation& found) { return found.link_bound; },
     "Streams that only copy the same way take turns on the one engine that does, and it is busy "
     "nearly all of the time: the link is the bound, however the copies are issued. %s was on it.",
     "No other order of the copies and no more streams help: copy fewer bytes, make data on the "
     "device instead, or move work that can to the other direction.",
     "Assumes that so many of the copies could go the other way that both are as busy, which is "
     "the best that can be had."},
    {Cause::copy_engine, "", nullptr,
     "Streams that only copy the same way take turns on the one engine that does: %s was on it.",
     "More streams do not help. Copy less, make data on the device instead, or let copies the "
     "other "
     "way and kernels run meanwhile.",
     "Assumes that so many of the copies could go the other way that both are as busy, which is "
     "the best that can be had."},
    {Cause::small_copies, "", nullptr,
     "Small copies follow each other, each of which takes longer to start than its bytes need: %s.",
     "Keep the data together in one buffer on the host and one on the device, and copy that at "
     "once; rows that are a fixed distance apart are one cudaMemcpy2DAsync.",
     "Assumes that the data can be made together, without a pass of the host that gathers them."},
    {Cause::sm_saturated, "",
     [](const Situation& found) { return found.communicates && found.goes_first; }, no_room,
     "Its stream goes first already, which does not make room: leave communication a fifth to a "
     "third of the multiprocessors, with fewer blocks in the kernels beside it or fewer channels "
     "in NCCL (NCCL_MAX_NCHANNELS).",
     takes_longer},
    {Cause::sm_saturated, "", [](const Situation& found) { return found.communicates; }, no_room,
     "Leave communication a fifth to a third of the multiprocessors, with fewer blocks in the "
     "kernels beside it or fewer channels in NCCL (NCCL_MAX_NCHANNELS), and give its stream a "
     "higher priority (cudaStreamCreateWithPriority).",
     takes_longer},
    {Cause::sm_saturated, "", [](const Situation& found) { return found.goes_first; }, no_room,
     "The stream that waits goes first already, which does not make room: launch the kernel with "
     "fewer blocks or less shared memory per block, so that others fit beside it.",
     takes_as_long},
    {Cause::sm_saturated, "", nullptr, no_room,
     "Launch it with fewer blocks or less shared memory per block, so that others fit beside it, "
     "or give the stream that waits a higher priority (cudaStreamCreateWithPriority).",
     takes_as_long},
    {Cause::queue_alias, "", nullptr,
     "Streams share a hardware queue, which hands out work in the order of its issue: %s was "
     "ahead.",
     "Set CUDA_DEVICE_MAX_CONNECTIONS to 32 before CUDA starts, use fewer streams, or issue "
     "breadth first: one kernel for each stream in turn.",
     ""},
    {Cause::host_func, "", nullptr,
     "A host function (cudaLaunchHostFunc) holds up what comes after it; one thread "
     "of the driver runs those of all streams.",
     "Record an event in its place, and let other threads wait for that and do the work.",
     "Assumes that nothing behind the function needs what it does."},
    {Cause::graph_edge, "", nullptr,
     "The graph's edges run its nodes one after the other: %s ran first.",
     "Capture independent work from several streams (fork with an event, join with another), or "
     "add "
     "the nodes without that dependency.",
     order_may_matter},
    {Cause::graph_exec_reuse, "", nullptr,
     "Launches of one executable graph never run side by side, whatever streams they are in: %s "
     "ran "
     "first.",
     "Instantiate the graph once for each stream (cudaGraphInstantiate), with buffers of its own.",
     "Assumes that the launches do not need each other's results: nodes of one executable graph "
     "use the same memory each time, unless their parameters are set in between."},
    {Cause::host_sync, "", nullptr, "The host waits in %s before it issues the next work.",
     "Issue all work first and wait once at the end; where the host needs a result, wait for that "
     "event alone, one tile behind.",
     order_may_matter},
    {Cause::pageable_copy, "", [](const Situation& found) { return found.copies_block; }, staged,
     "Allocate the host memory with cudaMallocHost, or page-lock it once with cudaHostRegister, "
     "before the loop; use cudaMemcpyAsync, and wait for an event before the host reads the result "
     "or writes to the buffer again.",
     "Calls of cudaMemcpy go on waiting for their copies; those of cudaMemcpyAsync are taken to "
     "return at once, and the host not to rely on it that they have ended."},
    {Cause::pageable_copy, "", nullptr, staged,
     "Allocate the host memory with cudaMallocHost, or page-lock it once with cudaHostRegister, "
     "before the loop; wait for an event before the host reads the result or writes to the buffer "
     "again.",
     "Assumes that the host does not rely on cudaMemcpyAsync to have ended: of page-locked memory "
     "it returns at once."},
    {Cause::alloc_free, "Async", nullptr,
     "Calls of %s take the host's time: a pool gets its memory from the driver, and gives it back "
     "whenever the host waits unless it is told to keep it.",
     "Let the pool keep its memory (cudaMemPoolSetAttribute with "
     "cudaMemPoolAttrReleaseThreshold), or allocate once, before the loop.",
     "Assumes that all iterations can use the same memory."},
    {Cause::alloc_free, "", nullptr,
     "Calls of %s take the host's time, and freeing waits until the device is idle.",
     "Allocate before the loop and free after it, or use cudaMallocAsync and cudaFreeAsync with a "
     "pool that keeps its memory (cudaMemPoolAttrReleaseThreshold).",
     "Assumes that all iterations can use the same memory, and that the program does not rely on "
     "cudaFree to wait for the device."},
    {Cause::host_pinning, "", nullptr,
     "Calls of %s take the host's time, and giving page-locked memory back waits until the device "
     "is "
     "idle.",
     "Page-lock once, before the loop, and use the buffers again.",
     "Assumes that all iterations can use the same buffers, and that the program does not rely on "
     "cudaFreeHost or cudaHostUnregister to wait for the device."},
    {Cause::module_load, "", nullptr,
     "Code is loaded when it is first used, which holds up all streams: %s.",
     "Launch each kernel once before the part that counts, or set CUDA_MODULE_LOADING=EAGER.", ""},
    {Cause::launch_blocking, "", nullptr,
     "Each launch waits for its work to end (%s), as with CUDA_LAUNCH_BLOCKING=1.",
     "Unset CUDA_LAUNCH_BLOCKING outside of debugging.", ""},
    {Cause::launch_overhead, "", [](const Situation& found) { return found.is_corrected; },
     launches_are_long, capture_them, ""},
    {Cause::launch_overhead, "", nullptr, launches_are_long, capture_them,
     "Calls take longer while they are recorded: without the collector the gain is smaller."},
    {Cause::host_compute, "host code between calls", nullptr,
     "The host does other things before it issues the next work: %s.",
     "Issue further ahead, or do that work in another thread.", order_may_matter},
    {Cause::host_compute, "", nullptr,
     "Calls of %s take the host's time before it issues the next work.",
     "Make what they make once, before the part that counts, and keep it.", order_may_matter},
};

std::string filled(std::string_view text, const std::string& site) {
  std::string result(text);
  const std::size_t at = result.find("%s");
  if (at != std::string::npos) result.replace(at, 2, site);
  return result;
}

}  // namespace

Sentences sentences_of(Cause cause, const std::vector<CallSite>& sites,
                       const Situation& situation) {
  for (const Template& known : templates) {
    std::string site = sites.front().what;
    if (known.cause != cause || site.find(known.site) == std::string::npos) continue;
    if (known.fits && !known.fits(situation)) continue;
    if (!sites.front().range.empty()) site += " in range '" + sites.front().range + "'";
    return {filled(known.explanation, site), known.fix, known.caveat};
  }
  return {};
}

}  // namespace lapscope::analyzer
