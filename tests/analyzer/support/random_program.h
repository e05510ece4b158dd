#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "analyzer/model/ops.h"

// Programs made at random, and a machine that runs them by counting from character to character. On
// it everything takes place as soon as CUDA's rules allow it, and nothing else takes time: what a
// graph says and a replay does is checked against it.
namespace lapscope::test {

struct RandomProgram {
  struct Op {
    analyzer::Engine engine = analyzer::Engine::compute;  // kernels side by side, copies in turn
    unsigned stream = 0;
    int length = 1;  // in characters
  };
  enum class Kind : std::uint8_t { issue, record, wait, synchronize };
  // A call of the one thread. Lasts a character, or until the stream's ops have ended.
  struct Call {
    Kind kind = Kind::issue;
    unsigned op = 0;      // of issue
    unsigned stream = 0;  // of the others
    unsigned event = 0;   // of record and wait; each is recorded once, and before it is waited for
    int gap = 0;          // in characters, since the call before
  };
  std::vector<Op> ops;  // A, B, C and so on; issued in this order
  std::vector<Call> calls;
  bool waits_for_events = true;  // else ops do not; a call that waits for a stream does
  bool synchronizes = true;      // else such calls do not wait
  bool issues_at_end = true;     // of its call an op is on its way; else at its begin
};

// When what ran, in characters.
struct ProgramRun {
  std::vector<int> op_ready;  // but for their engine
  std::vector<int> op_start;
  std::vector<int> op_end;
  std::vector<int> call_start;
  std::vector<int> call_end;
};

RandomProgram random_program(std::mt19937& random);

ProgramRun run_by_counting(const RandomProgram& program);

// By op, what must have ended before it starts, its engine aside.
std::vector<std::vector<unsigned>> ops_ahead(const RandomProgram& program);

// As tests/analyzer/support/program.h reads it.
std::string drawing_of(const RandomProgram& program, const ProgramRun& run);

}  // namespace lapscope::test
