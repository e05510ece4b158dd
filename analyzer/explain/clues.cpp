#include "analyzer/explain/clues.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "analyzer/explain/places.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/name_pattern.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {
namespace {

constexpr std::array<std::string_view, 24> codes = {"pytorch",
                                                    "cupy",
                                                    "jax",
                                                    "to-device",
                                                    "to-host",
                                                    "reads-value",
                                                    "before-input",
                                                    "after-result",
                                                    "dispatches",
                                                    "launches-block",
                                                    "runs-operator",
                                                    "counts-elements",
                                                    "loops-over-tensors",
                                                    "empties-cache",
                                                    "synchronizes",
                                                    "moves-module",
                                                    "loads-data",
                                                    "replays-graph",
                                                    "steps-optimizer",
                                                    "steps-each-tensor",
                                                    "is-collective",
                                                    "reduces-gradients",
                                                    "accumulates",
                                                    "single-operations"};

// A pattern for a frame's function, and a pattern for the frame's source file. For native code, the
// first pattern is compared with bare_function() of the function.
struct FramePattern {
  Clue clue;
  std::string_view function;
  std::string_view file = "*";
};

constexpr FramePattern frame_patterns[] = {
    {Clue::reads_value, "at::native::_local_scalar_dense*"},
    {Clue::reads_value, "aten::_local_scalar_dense"},
    {Clue::reads_value, "aten::item"},
    {Clue::counts_elements, "at::native::nonzero*"},
    {Clue::counts_elements, "at::native::masked_select*"},
    {Clue::counts_elements, "aten::nonzero"},
    {Clue::counts_elements, "aten::masked_select"},
    {Clue::empties_cache, "empty_cache", "*torch/cuda/memory.py"},
    {Clue::empties_cache, "*::emptyCache"},
    {Clue::synchronizes, "synchronize", "*torch/cuda/__init__.py"},
    {Clue::synchronizes, "block_until_ready", "*jax/*"},
    {Clue::moves_module, "Module.to", "*torch/nn/modules/module.py"},
    {Clue::moves_module, "Module.cuda", "*torch/nn/modules/module.py"},
    {Clue::loads_data, "*", "*torch/utils/data/*"},
    {Clue::replays_graph, "CUDAGraph.replay", "*torch/cuda/graphs.py"},
    {Clue::replays_graph, "at::cuda::CUDAGraph::replay"},
    {Clue::steps_each_tensor, "_single_tensor_*", "*torch/optim/*"},
    // Optimizers that have fused kernels.
    {Clue::steps_optimizer, "_multi_tensor_adam*", "*torch/optim/*"},
    {Clue::steps_optimizer, "_multi_tensor_sgd", "*torch/optim/*"},
    {Clue::is_collective, "all_*", "*torch/distributed/distributed_c10d.py"},
    {Clue::is_collective, "reduce*", "*torch/distributed/distributed_c10d.py"},
    {Clue::reduces_gradients, "c10d::Reducer::*"},
    {Clue::reduces_gradients, "torch::distributed::reducer::*"},
};

bool is_native(const StackFrame& frame) {
  return frame.module != python_module && frame.module != operator_module;
}

std::string function_of(const StackFrame& frame) {
  return is_native(frame) ? bare_function(frame.function) : frame.function;
}

bool is_in_package(std::string_view path, std::string_view name) {
  for (const std::string_view folder : {"site-packages/", "dist-packages/"}) {
    const std::size_t at = path.rfind(folder);
    if (at != std::string_view::npos) return path.substr(at + folder.size()).starts_with(name);
  }
  return path.starts_with(name);  // traces of PyTorch's profiler have paths without the folder
}

std::optional<Clue> framework_of(const StackFrame& frame) {
  if (frame.module == operator_module) return Clue::pytorch;
  const std::string& path = is_native(frame) ? frame.module : frame.file;
  if (is_in_package(path, "torch/")) return Clue::pytorch;
  for (const char* name : {"cupy/", "cupyx/", "cupy_backends/"}) {
    if (is_in_package(path, name)) return Clue::cupy;
  }
  for (const char* name : {"jax/", "jaxlib/", "jax_plugins/"}) {
    if (is_in_package(path, name)) return Clue::jax;
  }
  if (!is_native(frame)) return std::nullopt;
  const std::string_view module = file_name(frame.module);
  const std::string function = bare_function(frame.function);
  const bool is_torch = module.starts_with("libtorch") || module.starts_with("libc10") ||
                        function.starts_with("at::") || function.starts_with("c10::") ||
                        function.starts_with("torch::");
  return is_torch ? std::optional(Clue::pytorch) : std::nullopt;
}

// Whether a frame belongs to PyTorch's dispatcher, which calls all of PyTorch's operators.
bool is_dispatcher(const StackFrame& frame) {
  return frame.module == operator_module || file_name(frame.module).starts_with("libtorch_cpu") ||
         (is_native(frame) && bare_function(frame.function).starts_with("at::_ops::"));
}

bool fits(const FramePattern& pattern, const StackFrame& frame) {
  return fits_pattern(function_of(frame), pattern.function) &&
         fits_pattern(frame.file, pattern.file);
}

}  // namespace

std::string_view code_of(Clue clue) { return codes[static_cast<std::size_t>(clue)]; }

Clues clues_of(const std::vector<StackFrame>& stack) {
  Clues clues;
  for (const StackFrame& frame : stack) {
    if (const auto framework = framework_of(frame); framework && clues.empty()) {
      clues.insert(*framework);
    }
  }
  // These function names are short, so other programs may use them. They are clues only if the
  // stack shows a framework.
  if (clues.empty()) return clues;
  for (const StackFrame& frame : stack) {
    for (const FramePattern& pattern : frame_patterns) {
      if (fits(pattern, frame)) clues.insert(pattern.clue);
    }
    if (is_dispatcher(frame)) clues.insert(Clue::runs_operator);
  }
  return clues;
}

Clues clues_of_range(std::string_view range) {
  if (range.starts_with("enumerate(DataLoader)")) return {Clue::pytorch, Clue::loads_data};
  if (!range.starts_with("Thunk:#") && !range.starts_with("XlaModule:#")) return {};
  // XLA uses such a name for an op of a program with a single operation.
  const bool is_single = fits_pattern(range, "Thunk:#name=jit(*)/*,hlo_op=wrapped_*");
  return is_single ? Clues{Clue::jax, Clue::single_operations} : Clues{Clue::jax};
}

HolderClues::HolderClues(const Sources& sources) : sources_(sources) {
  for (std::uint32_t s = 0; s < sources.graph.steps.size(); ++s) {
    launches_block_ = launches_block_ || sources.graph.steps[s].cause == Cause::launch_blocking;
  }
}

Clues HolderClues::of_task(std::uint32_t task) const {
  if (task == no_index) return {};
  const Task& one = sources_.graph.tasks[task];
  if (one.is_value) return {Clue::reads_value};
  if (one.engine == Engine::h2d) return {Clue::to_device};
  if (one.engine == Engine::d2h) return {Clue::to_host};
  return {};
}

std::uint32_t HolderClues::awaited_copy(std::uint32_t s) const {
  const Graph& graph = sources_.graph;
  const Step& step = graph.steps[s];
  if (step.task_count > 0) return step.first_task;
  std::uint32_t last = no_index;
  for (std::uint32_t w = step.first_wait; w < step.first_wait + step.wait_count; ++w) {
    const std::uint32_t task = graph.waits[w];
    if (last == no_index || graph.times.tasks[task].end > graph.times.tasks[last].end) last = task;
  }
  return last;
}

Clues HolderClues::of_step(std::uint32_t s) const { return of_task(awaited_copy(s)); }

Clues HolderClues::of_gap(std::uint32_t s) const {
  const Graph& graph = sources_.graph;
  const Step& step = graph.steps[s];
  Clues clues;
  if (launches_block_) clues.insert(Clue::launches_block);
  if (step.gap <= assumed::operator_gap) clues.insert(Clue::dispatches);
  if (step.task_count > 0 && graph.tasks[step.first_task].engine == Engine::h2d) {
    clues.insert(Clue::before_input);
  }
  if (thread_of(graph, s).first == s) return clues;
  const Cause ahead = graph.steps[s - 1].cause;
  if ((ahead == Cause::host_sync || ahead == Cause::pageable_copy) &&
      of_step(s - 1).contains(Clue::to_host)) {
    clues.insert(Clue::after_result);
  }
  return clues;
}

namespace {

// The kinds of kernels that show that a program counts the elements of a mask: either one kernel of
// the kind `alone`, or one kernel each of the kinds `sums` and `selects`.
enum class Counting : std::uint8_t { no, sums, selects, alone };

Counting counting_of(std::string_view kernel) {
  if (kernel.starts_with("cupy_getitem_mask") || kernel.starts_with("cupy_nonzero")) {
    return Counting::alone;
  }
  // PyTorch's nonzero() launches one kernel of the kind `sums` and one of the kind `selects`.
  if (kernel.starts_with("DeviceReduce")) return Counting::sums;
  return kernel.starts_with("DeviceSelectSweep") ? Counting::selects : Counting::no;
}

// Whether the innermost Python frame of a chain is in the program's own code. In a framework,
// several launches at one line do not show a loop of the program.
bool is_called_by_program(const Trace& trace, std::uint32_t chain) {
  for (std::uint32_t f = 0; f < trace.stacks.chain(chain).size(); ++f) {
    if (trace.names.text(trace.stacks.chain(chain)[f].module) != python_module) continue;
    return f == trace.stacks.own_frame(chain);
  }
  return false;
}

bool is_elementwise(std::string_view kernel) {
  return kernel.find("elementwise_kernel") != std::string_view::npos;
}

// The shapes of consecutive launches of elementwise kernels at one line. If the line loops over a
// model's parameters, the launches have several shapes, because the parameters differ in size. If
// the line computes one formula, all launches have the same shape, or two shapes if an operand is
// smaller.
class Loop {
 public:
  void add(std::uint32_t line, bool is_elementwise, std::uint32_t geometry) {
    if (line != line_ || !is_elementwise) {
      line_ = line;
      shapes_.clear();
    }
    if (is_elementwise) shapes_.insert(geometry);
  }
  bool is_of_tensors() const { return shapes_.size() >= assumed::enough_examples; }

 private:
  std::uint32_t line_ = CallStacks::none;
  std::set<std::uint32_t> shapes_;
};

}  // namespace

LineClues::LineClues(const Sources& sources, const std::set<std::uint32_t>& lines) {
  const CallStacks& stacks = sources.trace.stacks;
  const GraphNames names(sources);
  std::map<std::uint32_t, std::set<Counting>> counted;
  Loop loop;
  for (std::uint32_t t = 0; !lines.empty() && t < sources.graph.tasks.size(); ++t) {
    const Task& task = sources.graph.tasks[t];
    const std::uint32_t chain = names.chain_of(names.call_of(t));
    if (task.op == no_index || chain == CallStacks::none) continue;
    const std::uint32_t line = stacks.place(chain);
    const Ops& ops = sources.trace.devices[task.device].ops;
    const bool is_kernel = ops.kind[task.op] == OpKind::kernel;
    const bool is_asked = lines.contains(line);
    const std::string kernel = is_kernel && is_asked ? names.of_task(t) : "";
    loop.add(line, is_elementwise(kernel) && is_called_by_program(sources.trace, chain),
             task.geometry);
    if (!is_asked) continue;
    if (loop.is_of_tensors()) clues_.insert({line, Clue::loops_over_tensors});
    if (task.is_value) clues_.insert({line, Clue::reads_value});
    if (const Counting counting = counting_of(kernel); counting != Counting::no) {
      counted[line].insert(counting);
    }
  }
  for (const auto& [line, kinds] : counted) {
    const bool is_nonzero = kinds.contains(Counting::sums) && kinds.contains(Counting::selects);
    if (is_nonzero || kinds.contains(Counting::alone)) {
      clues_.insert({line, Clue::counts_elements});
    }
  }
}

Clues LineClues::of(std::uint32_t line) const {
  Clues clues;
  for (auto one = clues_.lower_bound({line, Clue::pytorch});
       one != clues_.end() && one->first == line; ++one) {
    clues.insert(one->second);
  }
  return clues;
}

namespace {

enum class Training : std::uint8_t { other, forward, reduction, step };

Training training_of(const std::vector<StackFrame>& stack) {
  Training found = Training::other;
  for (const StackFrame& frame : stack) {
    const std::string function = function_of(frame);
    if (function.starts_with("c10d::Reducer::")) return Training::reduction;
    if (function.starts_with("torch::distributed::reducer::")) return Training::reduction;
    if (function == "DistributedDataParallel.forward") found = Training::forward;
    if (fits_pattern(frame.file, "*torch/optim/*") && function.ends_with(".step")) {
      found = Training::step;
    }
  }
  return found;
}

}  // namespace

bool accumulates_gradients(const Trace& trace) {
  std::vector<Training> by_chain;
  for (std::uint32_t c = 0; c < trace.stacks.chain_count(); ++c) {
    by_chain.push_back(training_of(frames_of(trace, c)));
  }
  std::vector<std::pair<Ns, Training>> done;
  for (std::uint32_t call = 0; call < trace.calls.size(); ++call) {
    const std::uint32_t chain = trace.stacks.of_call(call);
    if (chain == CallStacks::none || by_chain[chain] == Training::other) continue;
    done.emplace_back(trace.calls.start[call], by_chain[chain]);
  }
  std::sort(done.begin(), done.end());
  bool is_reduced = false;
  bool is_forward_again = false;
  for (const auto& [time, what] : done) {
    if (what == Training::reduction && is_forward_again) return true;
    is_forward_again = is_reduced && (what == Training::forward || is_forward_again);
    if (what == Training::reduction) is_reduced = true;
    if (what == Training::step) is_reduced = is_forward_again = false;
  }
  return false;
}

}  // namespace lapscope::analyzer
