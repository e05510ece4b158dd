#include "readers/tables/forward_lines.h"

#include <functional>

#include "analyzer/model/trace.h"
#include "collector/schema/tables.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

using test::read_written;

constexpr std::int64_t forward_thread = 1;
constexpr std::int64_t autograd_thread = 2;
constexpr std::int64_t model_line = 33;
constexpr std::int64_t backward_call = 80;

TEST_CASE("a range is an operator by its text") {
  const auto forward = operator_of("aten::addmm, seq = 4, op_id = 59");
  REQUIRE(forward);
  CHECK(forward->sequence == 4);
  CHECK_FALSE(forward->is_backward);
  const auto backward = operator_of("AddmmBackward0, seq = 4, op_id = 81, sizes = [[2, 3]]");
  REQUIRE(backward);
  CHECK(backward->sequence == 4);
  CHECK(backward->is_backward);
  const auto frame = operator_of("autograd::engine::evaluate_function: AddmmBackward0, op_id = 80");
  REQUIRE(frame);
  CHECK(frame->sequence == Operator::no_sequence);
  CHECK(frame->is_backward);
  CHECK(operator_of("aten::nll_loss_backward, seq = 3")->is_backward == false);
  for (const char* other : {"aten::mm, op_id = 85", "Backward", "x, seq = ", "x, seq = -1",
                            "x, seq = 99999999999999999999", ""}) {
    CHECK_FALSE(operator_of(other));
  }
}

// Adds NVTX ranges and calls with stacks to a trace.
class TrainingRows {
 public:
  explicit TrainingRows(trace::TraceWriter& writer) : writer_(writer) {
    // The stacks of the model, of the call of backward(), and of a derivative in Python.
    frame(1, 0, "forward", "model.py", model_line);
    frame(2, 0, "_engine_run_backward", "/usr/lib/site-packages/torch/autograd/graph.py", 825);
    frame(2, 1, "step", "train.py", backward_call);
    frame(3, 0, "backward", "model.py", 60);
    frame(3, 1, "apply", "/usr/lib/site-packages/torch/autograd/function.py", 311);
    writer_.insert(test::kernel(100'000, 200'000));
  }

  void call(std::int64_t thread, std::int64_t start, std::optional<std::int64_t> chain) {
    schema::ApiCallRow row;
    row.start = start;
    row.end = start + 1;
    row.globalTid = thread;
    row.correlationId = start;
    // Gives each call another function, so that calls do not share their stacks.
    row.nameId = writer_.intern("cudaLaunchKernel" + std::to_string(start));
    row.callchainId = chain;
    writer_.insert(row);
  }

  void range(std::int64_t thread, std::int64_t start, std::int64_t end, const std::string& text) {
    writer_.insert(range_row(thread, start, end, text));
  }

  void numbered_range(std::int64_t thread, std::int64_t start, std::int64_t end,
                      const std::string& text, std::int64_t sequence, bool is_backward) {
    schema::NvtxRow row = range_row(thread, start, end, text);
    row.sequence = sequence;
    if (is_backward) row.isBackward = 1;
    writer_.insert(row);
  }

 private:
  schema::NvtxRow range_row(std::int64_t thread, std::int64_t start, std::int64_t end,
                            const std::string& text) {
    schema::NvtxRow row;
    row.start = start;
    row.end = end;
    row.eventType = 59;  // push/pop
    row.globalTid = thread;
    row.textId = writer_.intern(text);
    return row;
  }

  void frame(std::int64_t chain, std::int64_t depth, const char* function, const char* file,
             std::int64_t line) {
    schema::CallchainRow row;
    row.id = chain;
    row.stackDepth = depth;
    row.symbol = writer_.intern(function);
    row.module = writer_.intern("[python]");
    row.sourceFile = writer_.intern(file);
    row.sourceLine = line;
    writer_.insert(row);
  }

  trace::TraceWriter& writer_;
};

// Returns the source lines that lapscope shows for the calls of a thread. "33 for 80": the call is
// at line 80, but lapscope shows line 33, the line of the forward operator.
std::string lines_shown(std::int64_t thread, const std::function<void(TrainingRows&)>& fill) {
  const Trace trace = read_written([&](trace::TraceWriter& writer) {
    TrainingRows rows(writer);
    fill(rows);
  });
  const CallStacks& stacks = trace.stacks;
  const auto line = [&](std::uint32_t chain) -> std::string {
    const std::uint32_t own = stacks.own_frame(chain);
    return own == CallStacks::none ? "-" : std::to_string(stacks.chain(chain)[own].line);
  };
  std::string lines;
  for (const Calls::Thread& calls : trace.calls.threads) {
    if (calls.global_tid != thread) continue;
    for (std::uint32_t call = calls.first; call < calls.last; ++call) {
      const std::uint32_t chain = stacks.of_call(call);
      lines += lines.empty() ? "" : ", ";
      if (chain == CallStacks::none) {
        lines += "none";
      } else if (stacks.forward(chain) == CallStacks::none) {
        lines += line(chain);
      } else {
        lines += line(stacks.line_chain(chain)) + " for " + line(chain);
      }
    }
  }
  return lines;
}

//   thread 1  [aten::linear, seq = 3      ]
//               [aten::addmm, seq = 4]
//                  [33]                                 a call of line 33
//   thread 2                     [evaluate_function: AddmmBackward0   ]
//                                  [AddmmBackward0, seq = 4]
//                                    [a]                      [b]        [c]   calls of line 80
void forward_and_backward(TrainingRows& rows) {
  rows.range(forward_thread, 100, 200, "aten::linear, seq = 3, op_id = 1");
  rows.range(forward_thread, 110, 190, "aten::addmm, seq = 4, op_id = 2");
  rows.call(forward_thread, 120, 1);
  rows.range(autograd_thread, 300, 400,
             "autograd::engine::evaluate_function: AddmmBackward0, op_id = 3");
  rows.range(autograd_thread, 310, 350, "AddmmBackward0, seq = 4, op_id = 4");
  rows.call(autograd_thread, 320, 2);
  rows.call(autograd_thread, 360, 2);
  rows.call(autograd_thread, 450, 2);
}

TEST_CASE("a call in a derivative has the line of its forward operator, and keeps its own stack") {
  CHECK(lines_shown(autograd_thread, forward_and_backward) == "33 for 80, 33 for 80, 80");
  CHECK(lines_shown(forward_thread, forward_and_backward) == "33");
}

TEST_CASE("a call without a stack has the forward line, too") {
  CHECK(lines_shown(autograd_thread, [](TrainingRows& rows) {
          forward_and_backward(rows);
          rows.call(autograd_thread, 330, std::nullopt);
        }) == "33 for 80, 33 for -, 33 for 80, 80");
}

// TBackward0 belongs to aten::t, which makes no calls.
TEST_CASE("a forward operator without calls has the line of the one around it") {
  CHECK(lines_shown(autograd_thread, [](TrainingRows& rows) {
          rows.range(forward_thread, 101, 105, "aten::t, seq = 3, op_id = 9");
          forward_and_backward(rows);
          rows.range(autograd_thread, 500, 600, "TBackward0, seq = 3, op_id = 10");
          rows.call(autograd_thread, 510, 2);
        }) == "33 for 80, 33 for 80, 80, 33 for 80");
}

TEST_CASE("of operators with the same number, a derivative belongs to the last one before it") {
  CHECK(lines_shown(autograd_thread, [](TrainingRows& rows) {
          rows.range(forward_thread, 50, 60, "aten::to, seq = 4, op_id = 9");
          rows.call(forward_thread, 55, 3);
          forward_and_backward(rows);
          rows.range(forward_thread, 500, 510, "aten::to, seq = 4, op_id = 10");
          rows.call(forward_thread, 505, 3);
        }) == "33 for 80, 33 for 80, 80");
}

TEST_CASE("where two threads count to the same number, calls stay as they are") {
  CHECK(lines_shown(autograd_thread, [](TrainingRows& rows) {
          forward_and_backward(rows);
          rows.range(3, 100, 200, "aten::mul, seq = 4, op_id = 1");
          rows.call(3, 120, 1);
        }) == "80, 80, 80");
}

TEST_CASE("without a forward operator, or one with a line, calls stay as they are") {
  CHECK(lines_shown(autograd_thread, [](TrainingRows& rows) {
          rows.range(autograd_thread, 310, 350, "AddmmBackward0, seq = 4, op_id = 4");
          rows.call(autograd_thread, 320, 2);
        }) == "80");
  CHECK(lines_shown(autograd_thread, [](TrainingRows& rows) {
          rows.range(forward_thread, 110, 190, "aten::addmm, seq = 4, op_id = 2");
          rows.call(forward_thread, 120, std::nullopt);
          rows.range(autograd_thread, 310, 350, "AddmmBackward0, seq = 4, op_id = 4");
          rows.call(autograd_thread, 320, 2);
        }) == "80");
}

TEST_CASE("a derivative that the program has written has its own line") {
  CHECK(lines_shown(autograd_thread, [](TrainingRows& rows) {
          forward_and_backward(rows);
          rows.call(autograd_thread, 330, 3);
        }) == "33 for 80, 60, 33 for 80, 80");
}

TEST_CASE("operators that PyTorch's profiler recorded say their numbers in columns") {
  const auto fill = [](bool is_backward) {
    return [is_backward](TrainingRows& rows) {
      rows.call(forward_thread, 120, 1);
      rows.numbered_range(forward_thread, 110, 190, "aten::mul", 4, false);
      rows.numbered_range(autograd_thread, 310, 350, "torch::autograd::CppNode", 4, is_backward);
      rows.call(autograd_thread, 320, 2);
    };
  };
  CHECK(lines_shown(autograd_thread, fill(true)) == "33 for 80");
  CHECK(lines_shown(autograd_thread, fill(false)) == "80");
}

}  // namespace
}  // namespace lapscope::analyzer
