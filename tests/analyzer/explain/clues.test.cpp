#include "analyzer/explain/clues.h"

#include <map>

#include "analyzer/model/trace.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

StackFrame python(std::string function, std::string file) {
  return {std::move(function), std::string(python_module), std::move(file), 1};
}
StackFrame native(std::string function, std::string module) {
  return {std::move(function), std::move(module), "", 0};
}

const std::string packages = "/venv/lib/python3.12/site-packages/";

TEST_CASE("a framework is that of the innermost frame that tells one") {
  const StackFrame own = python("step", "/home/me/train.py");
  const auto torch_library = native("libtorch_python.so+0x12", packages + "torch/lib/libtorch.so");
  const auto cupy_library = native("core+0x1", packages + "cupy/_core/core.cpython-312.so");
  CHECK(clues_of({torch_library, own}) == Clues{Clue::pytorch});
  CHECK(clues_of({cupy_library, own}) == Clues{Clue::cupy});
  CHECK(clues_of({cupy_library, torch_library, own}) == Clues{Clue::cupy});
  CHECK(clues_of({python("device_put", packages + "jax/_src/api.py"), own}) == Clues{Clue::jax});
  CHECK(clues_of({native("at::native::copy_(at::Tensor&, bool)", "app"), own}) ==
        Clues{Clue::pytorch});
  CHECK(clues_of({own}).empty());
  CHECK(clues_of({python("main", "cupy_step.py")}).empty());
  CHECK(clues_of({python("main", "/home/me/jax/main.py")}).empty());
}

struct Known {
  StackFrame frame;
  Clue clue;
};

TEST_CASE("functions and operators of a stack tell what was typed") {
  const std::string torch = packages + "torch/";
  for (const Known& known : std::vector<Known>{
           {native("at::native::_local_scalar_dense_cuda(at::Tensor const&)", "libtorch_cuda.so"),
            Clue::reads_value},
           {native("aten::item", "[operator]"), Clue::reads_value},
           {native("aten::_local_scalar_dense", "[operator]"), Clue::reads_value},
           {native("at::native::nonzero_cuda(at::Tensor const&)", "libtorch_cuda.so"),
            Clue::counts_elements},
           {native("aten::nonzero", "[operator]"), Clue::counts_elements},
           {native("aten::masked_select", "[operator]"), Clue::counts_elements},
           {python("empty_cache", torch + "cuda/memory.py"), Clue::empties_cache},
           {python("synchronize", torch + "cuda/__init__.py"), Clue::synchronizes},
           {python("Module.to", torch + "nn/modules/module.py"), Clue::moves_module},
           {python("_MultiProcessingDataLoaderIter.__next__", torch + "utils/data/dataloader.py"),
            Clue::loads_data},
           {python("CUDAGraph.replay", torch + "cuda/graphs.py"), Clue::replays_graph},
           {python("_single_tensor_adam", torch + "optim/adam.py"), Clue::steps_each_tensor},
           {python("_multi_tensor_adamw", torch + "optim/adamw.py"), Clue::steps_optimizer},
           {python("all_reduce", torch + "distributed/distributed_c10d.py"), Clue::is_collective},
           {native("libtorch_cpu.so+0x1", torch + "lib/libtorch_cpu.so"), Clue::runs_operator},
           {native("c10d::Reducer::all_reduce_bucket(c10d::Reducer::Bucket&)", "libtorch_cpu.so"),
            Clue::reduces_gradients}}) {
    INFO(known.frame.function);
    const Clues clues = clues_of({known.frame, python("main", "train.py")});
    CHECK(clues.contains(Clue::pytorch));
    CHECK(clues.contains(known.clue));
  }
  // The program has its own functions with these names.
  CHECK(clues_of({native("libc10.so+0x1", "libc10.so"), python("empty_cache", "train.py"),
                  python("Module.to", "train.py")}) == Clues{Clue::pytorch});
}

TEST_CASE("ranges of DataLoader and of XLA tell their framework") {
  CHECK(clues_of_range("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__")
            .contains(Clue::loads_data));
  CHECK(clues_of_range("Thunk:#name=jit(add)/add,hlo_op=wrapped_add#") ==
        Clues{Clue::jax, Clue::single_operations});
  CHECK(clues_of_range("Thunk:#name=jit(step),hlo_op=loop_add_fusion#") == Clues{Clue::jax});
  CHECK(clues_of_range("forward").empty());
}

// Returns the clues at the first call with the name `call`, or in the time before it if is_gap.
Clues clues_at(const Program& program, const std::string& call, bool is_gap) {
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const Sources sources{program.trace, host, graph};
  const HolderClues holders(sources);
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    if (program.calls[graph.steps[s].call] != call) continue;
    return is_gap ? holders.of_gap(s) : holders.of_step(s);
  }
  FAIL("no call " << call);
  return {};
}

TEST_CASE("a wait tells what it waits for") {
  const Program program(R"(
    thread 1  advssss.bwtttt.huuu.
    stream 1  .AADVV...BWWW...HH..
    D = d2h, bytes 4
    V = d2h, bytes 4
    W = d2h, bytes 1000000
    H = h2d, bytes 1000000
    s = cudaStreamSynchronize, stream 1
    t = cudaStreamSynchronize, stream 1
    u = cudaStreamSynchronize, stream 1
  )");
  CHECK(clues_at(program, "s", false) == Clues{Clue::reads_value});
  CHECK(clues_at(program, "t", false) == Clues{Clue::to_host});
  CHECK(clues_at(program, "u", false) == Clues{Clue::to_device});
}

TEST_CASE("the host's time is told by what is behind it and what is ahead") {
  const Program program(R"(
    thread 1  awsss......hb...................kd
    stream 1  .AWWW.......H.B.................KD
    W = d2h, bytes 1000000
    H = h2d, bytes 1000000
    K = h2d, bytes 1000000
    s = cudaStreamSynchronize, stream 1
  )");
  CHECK(clues_at(program, "h", true) ==
        Clues{Clue::before_input, Clue::after_result, Clue::dispatches});
  CHECK(clues_at(program, "b", true) == Clues{Clue::dispatches});
  CHECK(clues_at(program, "k", true) == Clues{Clue::before_input, Clue::dispatches});
  const Program slow(R"(
    thread 1  a.....................h
    stream 1  .A.....................H
    H = h2d
  )");
  CHECK(clues_at(slow, "h", true) == Clues{Clue::before_input});
}

// Makes a program in which each call has its own line of Python.
Program with_lines_of_python(const std::string& drawing) {
  Program program(drawing);
  Trace& trace = program.trace;
  std::int64_t id = 1'000'000;
  const auto named = [&](const std::string& text) {
    trace.names.add(++id, text);
    return trace.names.index_of(id);
  };
  const std::vector<Frame> frames = {
      {named("step"), named(std::string(python_module)), named("train.py"), 9, false}};
  const std::uint32_t line = trace.stacks.add_chain(frames);
  std::vector<CallStacks::Taken> taken;
  for (std::uint32_t call = 0; call < trace.calls.size(); ++call) taken.push_back({call, line});
  trace.stacks.settle(trace, taken);
  return program;
}

// Returns whether a program seems to accumulate gradients. Each letter is a call: f is a forward
// pass, r a reduction, o the optimizer.
bool accumulates(const std::string& calls) {
  std::string drawing = "    thread 1  ";
  std::string ops = "    stream 1  .";
  for (std::size_t i = 0; i < calls.size(); ++i) {
    drawing += {"ab"[i % 2], '.'};
    ops += {"AB"[i % 2], '.'};
  }
  Trace trace = Program(drawing + "\n" + ops + "\n").trace;
  std::int64_t id = 1'000'000;
  const auto named = [&](const std::string& text) {
    trace.names.add(++id, text);
    return trace.names.index_of(id);
  };
  const std::uint32_t python = named(std::string(python_module));
  std::map<char, std::uint32_t> chains;
  const auto add = [&](char letter, const Frame& frame) {
    chains[letter] = trace.stacks.add_chain(std::vector<Frame>{frame});
  };
  add('f', {named("DistributedDataParallel.forward"), python, named("train.py"), 1, false});
  add('r', {named("c10d::Reducer::all_reduce_bucket()"), named("libtorch_cpu.so"), 0, 0, false});
  add('o', {named("Adam.step"), python, named(packages + "torch/optim/adam.py"), 1, false});
  std::vector<CallStacks::Taken> taken;
  for (std::uint32_t call = 0; call < calls.size(); ++call) {
    taken.push_back({call, chains.at(calls[call])});
  }
  trace.stacks.settle(trace, taken);
  return accumulates_gradients(trace);
}

TEST_CASE("gradients are accumulated where they are reduced again before a step") {
  CHECK(accumulates("frfrofrfro"));
  CHECK_FALSE(accumulates("frofrofro"));
  // DistributedDataParallel reduces gradients bucket by bucket.
  CHECK_FALSE(accumulates("frrrofrrro"));
}

TEST_CASE("elementwise kernels of several shapes in a row at a line are a loop over tensors") {
  const auto of = [](int launches, const std::string& shapes) {
    std::string calls = "    thread 1  ";
    std::string ops = "    stream 1  .";
    for (int i = 0; i < launches; ++i) {
      calls += {"abc"[i % 3], '.'};
      ops += {"ABC"[i % 3], '.'};
    }
    const Program program = with_lines_of_python(calls + "\n" + ops + "\n" + shapes);
    const Graph graph = test::graph_of(program.trace);
    const HostTimeline host(program.trace);
    const Sources sources{program.trace, host, graph};
    const std::uint32_t line = program.trace.stacks.place(program.trace.stacks.of_call(0));
    return LineClues(sources, {line}).of(line).contains(Clue::loops_over_tensors);
  };
  const std::string several =
      "    A = fills 10, named elementwise_kernel\n    B = fills 50, named elementwise_kernel\n"
      "    C = fills 30, named elementwise_kernel\n";
  CHECK(of(24, several));
  CHECK_FALSE(of(2, several));
  CHECK_FALSE(of(24, "    ABC = fills 10, named elementwise_kernel\n"));
  // Kernels of two shapes are no sign of a loop: one formula launches them if its operands have
  // different sizes.
  CHECK_FALSE(of(24,
                 "    AB = fills 10, named elementwise_kernel\n"
                 "    C = fills 50, named elementwise_kernel\n"));
  CHECK_FALSE(of(24,
                 "    A = fills 10, named gemm\n    B = fills 50, named gemm\n"
                 "    C = fills 30, named gemm\n"));
}

}  // namespace
}  // namespace lapscope::analyzer
