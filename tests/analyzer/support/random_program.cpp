#include "tests/analyzer/support/random_program.h"

#include <algorithm>
#include <map>
#include <optional>

namespace lapscope::test {

using analyzer::Engine;
using Kind = RandomProgram::Kind;

namespace {

constexpr int most_streams = 4;

// Returns a number in [least, most].
int number(std::mt19937& random, int least, int most) {
  return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
}

// The ops that must end first.
using Before = std::vector<unsigned>;

// The order that CUDA guarantees: which ops end before an op starts, and before a call returns.
struct Order {
  std::vector<Before> of_op;
  std::vector<Before> of_call;
};

Order order_of(const RandomProgram& program, bool waits_for_events) {
  Order order{std::vector<Before>(program.ops.size()), std::vector<Before>(program.calls.size())};
  std::map<unsigned, Before> issued;    // by stream
  std::map<unsigned, Before> recorded;  // by event
  std::map<unsigned, Before> awaited;   // by stream: for all later ops
  for (std::size_t c = 0; c < program.calls.size(); ++c) {
    const RandomProgram::Call& call = program.calls[c];
    const auto append = [](const Before& more, Before& all) {
      all.insert(all.end(), more.begin(), more.end());
    };
    switch (call.kind) {
      case Kind::issue: {
        const unsigned stream = program.ops[call.op].stream;
        append(issued[stream], order.of_op[call.op]);
        append(awaited[stream], order.of_op[call.op]);
        issued[stream].push_back(call.op);
        break;
      }
      // An event happens after the earlier ops of its stream, and after all ops for which the
      // stream waits.
      case Kind::record:
        recorded[call.event] = issued[call.stream];
        append(awaited[call.stream], recorded[call.event]);
        break;
      case Kind::wait:
        if (waits_for_events) append(recorded[call.event], awaited[call.stream]);
        break;
      case Kind::synchronize:
        if (!program.synchronizes) break;
        append(issued[call.stream], order.of_call[c]);
        append(awaited[call.stream], order.of_call[c]);
        break;
    }
  }
  return order;
}

Order order_of(const RandomProgram& program) {
  Order order = order_of(program, program.waits_for_events);
  order.of_call = order_of(program, true).of_call;
  return order;
}

// Runs a program instant by instant.
class CountingMachine {
 public:
  explicit CountingMachine(const RandomProgram& program)
      : program_(program), order_(order_of(program)) {
    run_.op_ready.assign(program.ops.size(), -1);
    run_.op_start.assign(program.ops.size(), -1);
    run_.op_end.assign(program.ops.size(), -1);
    run_.call_start.assign(program.calls.size(), -1);
    run_.call_end.assign(program.calls.size(), -1);
  }

  ProgramRun run() {
    const auto is_over = [this] {
      return call_ == program_.calls.size() &&
             std::all_of(run_.op_end.begin(), run_.op_end.end(),
                         [this](int end) { return end >= 0 && end <= now_; });
    };
    for (now_ = 0; !is_over(); ++now_) {
      go_on_calling();
      for (unsigned op = 0; op < program_.ops.size(); ++op) {
        const bool is_issued = issued_ > op;
        if (run_.op_ready[op] < 0 && is_issued && have_ended(order_.of_op[op]))
          run_.op_ready[op] = now_;
      }
      while (const std::optional<unsigned> op = next_to_start()) {
        run_.op_start[*op] = now_;
        run_.op_end[*op] = now_ + program_.ops[*op].length;
      }
    }
    return run_;
  }

 private:
  bool have_ended(const Before& ops) const {
    return std::all_of(ops.begin(), ops.end(), [this](unsigned op) {
      return run_.op_end[op] >= 0 && run_.op_end[op] <= now_;
    });
  }

  void go_on_calling() {
    if (is_in_call_ && now_ > run_.call_start[call_] && have_ended(order_.of_call[call_])) {
      if (program_.issues_at_end && program_.calls[call_].kind == Kind::issue) ++issued_;
      run_.call_end[call_++] = now_;
      is_in_call_ = false;
    }
    if (is_in_call_ || call_ == program_.calls.size()) return;
    const int free_since = call_ == 0 ? 0 : run_.call_end[call_ - 1];
    if (now_ < free_since + program_.calls[call_].gap) return;
    run_.call_start[call_] = now_;
    is_in_call_ = true;
    if (!program_.issues_at_end && program_.calls[call_].kind == Kind::issue) ++issued_;
  }

  bool is_free(Engine engine) const {
    if (engine == Engine::compute) return true;
    for (std::size_t op = 0; op < program_.ops.size(); ++op) {
      const bool runs = run_.op_start[op] >= 0 && run_.op_end[op] > now_;
      if (runs && program_.ops[op].engine == engine) return false;
    }
    return true;
  }

  // Of the ready ops with a free engine, returns the op that became ready first.
  std::optional<unsigned> next_to_start() const {
    std::optional<unsigned> next;
    for (unsigned op = 0; op < program_.ops.size(); ++op) {
      if (run_.op_ready[op] < 0 || run_.op_start[op] >= 0 || !is_free(program_.ops[op].engine))
        continue;
      if (!next || run_.op_ready[op] < run_.op_ready[*next]) next = op;
    }
    return next;
  }

  const RandomProgram& program_;
  const Order order_;
  ProgramRun run_;
  int now_ = 0;
  std::size_t call_ = 0;  // the current call, or the next one
  bool is_in_call_ = false;
  unsigned issued_ = 0;  // number of ops issued
};

}  // namespace

std::vector<std::vector<unsigned>> ops_ahead(const RandomProgram& program) {
  return order_of(program).of_op;
}

RandomProgram random_program(std::mt19937& random) {
  constexpr Engine engines[] = {Engine::compute, Engine::h2d, Engine::d2h};
  RandomProgram program;
  const int streams = number(random, 1, most_streams);
  const auto any_stream = [&] { return static_cast<unsigned>(number(random, 0, streams - 1)); };
  const int ops = number(random, 3, 13);
  unsigned events = 0;
  unsigned others = 0;  // calls that issue nothing; limited by the number of letters
  const auto call = [&](Kind kind, unsigned stream, unsigned event) {
    program.calls.push_back({kind, 0, stream, event, number(random, 0, 2)});
    ++others;
  };
  for (int op = 0; op < ops; ++op) {
    const unsigned stream = any_stream();
    program.calls.push_back({Kind::issue, static_cast<unsigned>(op), 0, 0, number(random, 0, 2)});
    program.ops.push_back({engines[random() % 3], stream, number(random, 1, 9)});
    if (others > 10) continue;
    const int what = number(random, 0, 7);
    if (what < 2) {
      call(Kind::record, stream, events);
      call(Kind::wait, any_stream(), events++);
    } else if (what == 2) {
      call(Kind::synchronize, any_stream(), 0);
    }
  }
  return program;
}

ProgramRun run_by_counting(const RandomProgram& program) { return CountingMachine(program).run(); }

std::string drawing_of(const RandomProgram& program, const ProgramRun& run) {
  const int length = std::max(*std::max_element(run.op_end.begin(), run.op_end.end()),
                              run.call_end.empty() ? 0 : run.call_end.back());
  std::string thread(static_cast<std::size_t>(length), '.');
  std::map<unsigned, std::string> streams;
  std::string legend;
  const auto draw = [](std::string& lane, int from, int to, char letter) {
    std::fill(lane.begin() + from, lane.begin() + to, letter);
  };
  char next = 'n';
  for (std::size_t c = 0; c < program.calls.size(); ++c) {
    const RandomProgram::Call& call = program.calls[c];
    const bool issues = call.kind == Kind::issue;
    const char letter = issues ? static_cast<char>('a' + call.op) : next++;
    draw(thread, run.call_start[c], run.call_end[c], letter);
    if (issues) continue;
    const std::string stream = ", stream " + std::to_string(call.stream + 1);
    legend += std::string(1, letter) + " = ";
    if (call.kind == Kind::synchronize) {
      legend += "cudaStreamSynchronize" + stream + "\n";
    } else {
      legend += (call.kind == Kind::record ? "cudaEventRecord" : "cudaStreamWaitEvent") + stream +
                ", event " + std::to_string(call.event + 1) + "\n";
    }
  }
  for (std::size_t op = 0; op < program.ops.size(); ++op) {
    const char letter = static_cast<char>('A' + op);
    auto& lane = streams.try_emplace(program.ops[op].stream, thread.size(), '.').first->second;
    draw(lane, run.op_start[op], run.op_end[op], letter);
    const Engine engine = program.ops[op].engine;
    if (engine != Engine::compute) {
      legend += std::string(1, letter) + (engine == Engine::h2d ? " = h2d\n" : " = d2h\n");
    }
  }
  std::string drawing = "thread 1  " + thread + "\n";
  for (const auto& [stream, lane] : streams) {
    drawing += "stream " + std::to_string(stream + 1) + "  " + lane + "\n";
  }
  return drawing + legend;
}

}  // namespace lapscope::test
