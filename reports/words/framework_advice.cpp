#include "reports/words/findings.h"

#include <algorithm>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/code_owner.h"

namespace lapscope::reports {
namespace {

using analyzer::CallSite;
using analyzer::Cause;
using analyzer::Clue;
using analyzer::Clues;
using analyzer::FindingResult;

struct Row {
  std::vector<Cause> causes;
  Clues shows;  // the call site has all of these clues
  Clues lacks;  // the call site has none of these clues
  std::string_view code;
  std::string_view text;
  bool is_general = false;  // used only if no earlier call site has advice
};

constexpr std::string_view loader_text =
    "DataLoader(..., num_workers=N, pin_memory=True): workers prepare the next batches meanwhile.";
constexpr std::string_view mask_text =
    "x[mask] and nonzero() make the host wait for a count. Use torch.where(mask, x, 0), or find "
    "the index on the host.";
constexpr std::string_view cupy_mask_text =
    "x[mask] and nonzero() make the host wait for a count. Use cupy.where(mask, x, 0), or weights "
    "of 0 and 1.";

const std::vector<Cause> host_or_launches = {Cause::host_compute, Cause::launch_overhead};

// Advice for call sites. The first row that matches a call site has its fix. Further matching rows
// have alternatives. Specific rows come before general ones.
const std::vector<Row>& rows() {
  using enum Clue;
  static const std::vector<Row> all = {
      // PyTorch
      {{Cause::alloc_free},
       {pytorch, empties_cache},
       {},
       "torch-empty-cache",
       "Remove torch.cuda.empty_cache() from the loop: PyTorch reuses the memory that it keeps."},
      {{Cause::pageable_copy},
       {pytorch, to_device, moves_module},
       {},
       "torch-module-once",
       "Move the model once, before the loop: model.to(device)."},
      {{Cause::pageable_copy},
       {pytorch, to_device},
       {moves_module},
       "torch-pin-memory",
       "pin_memory=True in the DataLoader, or x.pin_memory() once; then x.to(device, "
       "non_blocking=True)."},
      {{Cause::pageable_copy},
       {pytorch, to_host},
       {},
       "torch-pinned-result",
       "out.copy_(x, non_blocking=True) into out = torch.empty(..., pin_memory=True). Wait for an "
       "event before reading."},
      {{Cause::host_pinning},
       {pytorch},
       {loads_data},
       "torch-pin-once",
       "Pin once, before the loop: out = torch.empty(..., pin_memory=True). Then "
       "out.copy_(batch)."},
      {{Cause::small_copies},
       {pytorch, to_device},
       {moves_module},
       "torch-one-copy",
       "One copy: torch.stack(tensors) or torch.cat(tensors) on the host, then .to(device)."},
      {{Cause::host_sync, Cause::host_compute, Cause::launch_overhead},
       {pytorch, counts_elements},
       {},
       "torch-mask",
       mask_text},
      {{Cause::host_sync},
       {pytorch, reads_value},
       {counts_elements, synchronizes},
       "torch-item",
       "No .item(), .tolist(), float() or bool() of a tensor in each step: keep x.detach(), read "
       "it every N steps."},
      {{Cause::host_sync},
       {pytorch, to_device},
       {moves_module, synchronizes},
       "torch-non-blocking",
       "x.to(device, non_blocking=True): without it the host waits for the copy."},
      {{Cause::host_sync},
       {pytorch, to_host},
       {synchronizes},
       "torch-cpu",
       ".cpu() and .tolist() wait for the GPU: once, after the loop; or copy with "
       "non_blocking=True into pinned memory."},
      {{Cause::host_sync},
       {pytorch, synchronizes},
       {},
       "torch-synchronize",
       "No torch.cuda.synchronize() in the loop: torch.cuda.Event(enable_timing=True) takes times "
       "without."},
      {{Cause::host_compute},
       {pytorch, after_result},
       {},
       "torch-issue-ahead",
       "Launch the next batch before the host works with this result, which "
       "event.synchronize() waits for."},
      {{Cause::host_compute},
       {pytorch, before_input},
       {after_result},
       "torch-data-loader",
       loader_text},
      {{Cause::host_compute}, {pytorch, loads_data}, {}, "torch-data-loader", loader_text},
      {{Cause::host_compute},
       {launches_block},
       {},
       "launch-blocking",
       "Unset CUDA_LAUNCH_BLOCKING first: as launches wait, no work of the host is hidden."},
      {host_or_launches,
       {pytorch, steps_each_tensor},
       {launches_block},
       "torch-fused-optimizer",
       "fused=True or foreach=True in the optimizer: it launches kernels for each parameter."},
      {host_or_launches,
       {pytorch, steps_optimizer},
       {launches_block},
       "torch-fused-optimizer",
       "fused=True in the optimizer: fewer kernels for all parameters."},
      {host_or_launches,
       {pytorch, loops_over_tensors},
       {launches_block},
       "torch-foreach",
       "torch._foreach_mul_(xs, a), torch._foreach_add_(xs, ys): a few launches for all tensors of "
       "the loop."},
      {host_or_launches,
       {pytorch, dispatches, runs_operator},
       {launches_block, counts_elements, loops_over_tensors, replays_graph, after_result,
        before_input, is_collective},
       "torch-compile",
       "torch.compile(model, mode=\"reduce-overhead\"): graphs instead of operators one by one.",
       true},
      {host_or_launches,
       {pytorch, dispatches, runs_operator},
       {launches_block, counts_elements, loops_over_tensors, replays_graph, after_result,
        before_input, is_collective},
       "torch-cuda-graph",
       "torch.cuda.make_graphed_callables(model, (x,)), or torch.cuda.graph(g) around what reads "
       "no "
       "value.",
       true},
      {{Cause::stream_order},
       {pytorch, replays_graph},
       {},
       "torch-graph-streams",
       "with torch.cuda.stream(s): g.replay(), each independent graph in a stream of its own."},
      {{Cause::stream_order},
       {pytorch, reduces_gradients, accumulates},
       {},
       "torch-no-sync",
       "with model.no_sync(): around all but the last backward() of a step."},
      {{Cause::stream_order},
       {pytorch, is_collective},
       {reduces_gradients},
       "torch-async-op",
       "work = dist.all_reduce(x, async_op=True), and work.wait() where the result is used."},
      {{Cause::stream_order},
       {pytorch, is_collective},
       {reduces_gradients},
       "torch-ddp",
       "DistributedDataParallel(model): it reduces gradients during backward()."},
      {{Cause::stream_order},
       {pytorch, to_device},
       {moves_module},
       "torch-prefetch",
       "with torch.cuda.stream(side): x = x.to(device, non_blocking=True). Then "
       "current_stream().wait_stream(side)."},
      {{Cause::stream_order},
       {pytorch, to_host},
       {},
       "torch-side-stream-out",
       "side.wait_stream(current_stream()); with torch.cuda.stream(side): out.copy_(x, "
       "non_blocking=True), out pinned."},
      {{Cause::stream_order},
       {pytorch},
       {to_device, to_host, replays_graph, is_collective, reduces_gradients},
       "torch-streams",
       "with torch.cuda.stream(s): around independent work. Before its result is used: "
       "current_stream().wait_stream(s).",
       true},
      {{Cause::default_stream_barrier},
       {pytorch},
       {},
       "torch-streams",
       "with torch.cuda.stream(torch.cuda.Stream()): around this work."},

      // CuPy
      {{Cause::alloc_free},
       {cupy},
       {},
       "cupy-memory-pool",
       "Keep CuPy's memory pool: no cupy.cuda.set_allocator(None), and no free_all_blocks() in the "
       "loop."},
      {{Cause::pageable_copy},
       {cupy, to_device},
       {},
       "cupy-pinned-memory",
       "Fill a buffer of cupyx.empty_pinned(shape, dtype), then x.set(buffer, stream=stream)."},
      {{Cause::pageable_copy},
       {cupy, to_host},
       {},
       "cupy-pinned-memory",
       "x.get(out=buffer, stream=stream, blocking=False), with a buffer of "
       "cupyx.empty_pinned(shape, dtype)."},
      {{Cause::host_pinning},
       {cupy},
       {},
       "cupy-pinned-memory",
       "cupyx.empty_pinned(shape, dtype) once, before the loop."},
      {{Cause::host_sync, Cause::host_compute, Cause::launch_overhead},
       {cupy, counts_elements},
       {},
       "cupy-mask",
       cupy_mask_text},
      {{Cause::host_sync},
       {cupy, reads_value},
       {counts_elements},
       "cupy-item",
       "No .item(), .get(), float() or if x in each step: keep values on the GPU, and read them "
       "once."},
      {{Cause::host_sync},
       {cupy, to_host},
       {},
       "cupy-get",
       "x.get() and cupy.asnumpy(x) wait for the GPU: do that once, after the loop."},
      {{Cause::host_compute},
       {cupy, before_input},
       {},
       "cupy-input-thread",
       "Prepare the next input in a thread, in a buffer of cupyx.empty_pinned(shape, dtype)."},
      {host_or_launches,
       {cupy, dispatches},
       {launches_block, counts_elements, after_result, before_input},
       "cupy-fuse",
       "@cupy.fuse() on functions of elementwise operations: one kernel for all of them.",
       true},
      {{Cause::default_stream_barrier},
       {cupy},
       {},
       "cupy-streams",
       "with cupy.cuda.Stream(non_blocking=True): around this work."},
      {{Cause::default_stream_barrier},
       {cupy},
       {},
       "cupy-per-thread-stream",
       "CUPY_CUDA_PER_THREAD_DEFAULT_STREAM=1 in the environment."},
      {{Cause::stream_order},
       {cupy, to_device},
       {},
       "cupy-prefetch",
       "x.set(pinned, stream=side), side = cupy.cuda.Stream(non_blocking=True). Then "
       "stream.wait_event(side.record())."},
      {{Cause::stream_order},
       {cupy},
       {to_device},
       "cupy-streams",
       "with cupy.cuda.Stream(non_blocking=True): around each part that is independent.",
       true},

      // JAX
      {host_or_launches,
       {jax, single_operations},
       {},
       "jax-jit",
       "jax.jit(step): one program for a whole step. Now each operation is one by itself."},
      {{Cause::host_sync},
       {jax, reads_value},
       {},
       "jax-device-get",
       "No float(x), x.item() or numpy.asarray(x) in each step: keep the arrays, and "
       "jax.device_get(list) after the loop."},
      {{Cause::host_sync},
       {jax, synchronizes},
       {reads_value},
       "jax-block-until-ready",
       "Remove block_until_ready() from the loop, and call it once after it."},
      {{Cause::pageable_copy},
       {jax, to_device},
       {},
       "jax-device-put",
       "jax.device_put(next_batch) before the step that uses this one: it returns at once."},
      {{Cause::pageable_copy},
       {jax, to_host},
       {},
       "jax-copy-to-host-async",
       "x.copy_to_host_async() as soon as x is there, and jax.device_get(x) later."},
      {{Cause::alloc_free},
       {jax},
       {},
       "jax-allocator",
       "Unset XLA_PYTHON_CLIENT_ALLOCATOR=platform, which allocates each array anew."},
      {{Cause::alloc_free},
       {jax},
       {},
       "jax-donate",
       "jax.jit(step, donate_argnums=(0,)): the result has the memory of an argument."},
  };
  return all;
}

// Returns the line as "train.py:31". If only a function or operator is known, returns "", because
// the line to change is unknown.
std::string line_of(const CallSite& site) {
  const std::string_view line = analyzer::file_name(site.line);
  const std::size_t colon = line.rfind(':');
  const bool is_line = colon != std::string_view::npos && colon > 0 && line[colon - 1] != ':';
  return is_line ? std::string(line) : "";
}

bool tells_framework(const CallSite& site) {
  return site.clues.contains(Clue::pytorch) || site.clues.contains(Clue::cupy) ||
         site.clues.contains(Clue::jax);
}

bool fits(const Row& row, Cause cause, const CallSite& site) {
  const auto is_there = [&site](Clue clue) { return site.clues.contains(clue); };
  return std::find(row.causes.begin(), row.causes.end(), cause) != row.causes.end() &&
         std::all_of(row.shows.begin(), row.shows.end(), is_there) &&
         std::none_of(row.lacks.begin(), row.lacks.end(), is_there);
}

}  // namespace

std::vector<FrameworkAdvice> framework_advice(const FindingResult& finding) {
  const auto cause = analyzer::cause_of_code(finding.code);
  std::vector<FrameworkAdvice> advice;
  if (!cause) return advice;
  for (const CallSite& site : finding.sites) {
    const bool is_first = &site == &finding.sites.front();
    const double part = analyzer::assumed::large_part * static_cast<double>(finding.waited_ns);
    if (!is_first && static_cast<double>(site.waited_ns) < part) continue;
    const bool is_told = !advice.empty();
    for (const Row& row : rows()) {
      const auto is_row = [&row](const FrameworkAdvice& one) { return one.code == row.code; };
      if (!fits(row, *cause, site) || std::any_of(advice.begin(), advice.end(), is_row)) continue;
      if (is_told && row.is_general) continue;
      advice.push_back({row.code, row.text, line_of(site)});
    }
    // The screen shows the first site. If this site shows a framework but no row matches, later
    // sites are not tried.
    if (advice.empty() && tells_framework(site)) break;
  }
  return advice;
}

std::vector<std::string_view> framework_advice_codes() {
  std::vector<std::string_view> codes;
  for (const Row& row : rows()) codes.push_back(row.code);
  return codes;
}

}  // namespace lapscope::reports
