#include "analyzer/model/stacks.h"

#include <array>

#include "analyzer/model/trace.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// nvcc makes a function with the kernel's name and line. This function calls a stub, and the stub
// calls CUDA.
TEST_CASE("the stub of a kernel is not the place of its launch") {
  for (const char* told_as : {"tiles::stamp_tile(float*, int)", "stamp_tile", "process_tile()"}) {
    INFO(told_as);
    Trace trace;
    std::int64_t id = 0;
    const auto name = [&](const char* text) {
      trace.names.add(++id, text);
      return trace.names.index_of(id);
    };
    Device device;
    device.ops.name = {name("tiles::stamp_tile(float*, int)"), no_index};
    trace.devices.push_back(device);
    const std::uint32_t app = name("app");
    const std::uint32_t source = name("src/tiles.cu");
    const Frame frames[] = {
        {name("cudaLaunchKernel"), name("libcudart.so.13")},
        {name("__device_stub__ZN5tiles10stamp_tileEPfi(float*, int)"), app},
        {name(told_as), app, source, 3, true},
        {name("main"), app, source, 40},
    };
    const std::uint32_t chain = trace.stacks.add_chain(frames);
    trace.stacks.settle(trace, {});
    // If the compiler has inlined the kernel's function, the stack lacks it: the caller calls the
    // stub directly.
    const bool is_kernel = std::string_view(told_as).find("stamp") != std::string_view::npos;
    CHECK(trace.stacks.own_frame(chain) == (is_kernel ? 3 : 2));
    CHECK(place_of(trace, frames[3]) == "src/tiles.cu:40");
  }
}

TEST_CASE("a call without a stack has the stack of the nearest equal call") {
  Trace trace;
  std::int64_t id = 0;
  const auto frame = [&](const char* function, std::uint32_t line) {
    trace.names.add(++id, function);
    return Frame{trace.names.index_of(id), 0, 0, line};
  };
  const Frame step = frame("step", 7);
  const Frame warm_up = frame("warm_up", 3);
  const Frame main = frame("main", 9);
  trace.names.add(++id, "cudaLaunchKernel_v7000");
  const std::uint32_t launch = trace.names.index_of(id);
  for (const std::int64_t start : {0, 90, 120, 230, 260, 320}) {
    trace.calls.start.push_back(start);
    trace.calls.end.push_back(start + 10);
    trace.calls.name.push_back(launch);
    trace.calls.kind.push_back(CallKind::launch);
  }
  trace.calls.threads.push_back({1, 0, 6, 6});
  const std::uint32_t first = trace.stacks.add_chain(std::array{step, warm_up});
  const std::uint32_t last = trace.stacks.add_chain(std::array{step, main});
  trace.stacks.settle(trace, {{0, first}, {5, last}});
  std::vector<std::uint32_t> chains;
  for (std::uint32_t call = 0; call < 6; ++call) chains.push_back(trace.stacks.of_call(call));
  CHECK(chains == std::vector{first, first, first, last, last, last});
}

}  // namespace
}  // namespace lapscope::analyzer
