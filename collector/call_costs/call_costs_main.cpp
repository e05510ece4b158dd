// Measures how long CUDA calls take on this machine, without CUPTI and with recording. A
// calibration (collector/launch/recorder_calibration.h) records this program. The program starts a
// second process of itself, which is not recorded. Both processes take turns on one processor.
//
//   lapscope_call_costs FILE ROUNDS_MS LONGEST_MS
//
// Rounds are repeated for ROUNDS_MS. Each round writes a line to FILE for each kind of call
// (collector/schema/call_cost_kinds.h), such as `launch 2713.4 3702.1`: the time without CUPTI and
// with recording, in ns. On failure, the program writes a line `error` with the reason. A timer
// ends it after LONGEST_MS, in case the driver hangs.

#include <sched.h>
#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "collector/call_costs/timed_calls.h"
#include "collector/call_costs/twin.h"

namespace {

using lapscope::call_costs::anywhere;
using lapscope::call_costs::Calls;
using lapscope::call_costs::Time;
using lapscope::call_costs::Twin;

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

milliseconds milliseconds_of(const char* text) {
  return milliseconds(std::strtol(text, nullptr, 10));
}

void end_after(milliseconds longest) {
  const std::chrono::microseconds all = longest;
  constexpr std::int64_t second = 1'000'000;
  const itimerval timer{{}, {all.count() / second, all.count() % second}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

// The turns of one process. Each turn times all kinds of calls. The first turn also initializes
// CUDA. If the initialization fails, the turn reports the error.
class Turns {
 public:
  std::vector<Time> take(int processor) {
    lapscope::call_costs::stay_on(processor);
    if (!calls_) {
      if (const cudaError_t failed = cudaSetDevice(0); failed != cudaSuccess) {
        throw std::runtime_error(cudaGetErrorString(failed));
      }
      calls_.emplace();
    }
    return calls_->turn();
  }

 private:
  std::optional<Calls> calls_;
};

struct Round {
  std::vector<Time> recorded;
  std::vector<double> bare;
};

class Rounds {
 public:
  // Call start() before next().
  explicit Rounds(Twin& twin) : twin_(twin) {}

  // Initializes CUDA in both processes at the same time, because this takes longer than all rounds
  // together.
  void start() {
    twin_.ask(anywhere);
    turns_.take(anywhere);
    twin_.answer();
    processor_ = ::sched_getcpu();
  }

  Round next() {
    Round round;
    twin_.ask(processor_);
    round.bare = twin_.answer();
    round.recorded = turns_.take(processor_);
    if (round.bare.size() != round.recorded.size()) {
      throw std::runtime_error("the program that calls without CUPTI is another one");
    }
    return round;
  }

 private:
  Twin& twin_;
  Turns turns_;
  int processor_ = anywhere;
};

// Returns whether calls no longer get faster from round to round. Compares only the first kind of
// call. A decrease of less than 5 % is noise.
bool has_settled(const Round& before, const Round& now) {
  constexpr double still_falling = 0.95;
  return now.bare.front() > still_falling * before.bare.front() &&
         now.recorded.front().ns > still_falling * before.recorded.front().ns;
}

// Runs rounds of calls for `length`, or until `latest` if that is earlier. Writes the times of the
// calls to `out`. Warm-up rounds come first. They take at most a quarter of `length`, and their
// times are not written.
void time_calls(Twin& twin, milliseconds length, Clock::time_point latest, std::FILE* out) {
  Rounds rounds(twin);
  rounds.start();
  const auto begin = Clock::now();
  const auto until = std::min(begin + length, latest);
  Round last = rounds.next();
  while (Clock::now() < begin + length / 4) {
    Round now = rounds.next();
    const bool is_settled = has_settled(last, now);
    last = std::move(now);
    if (is_settled) break;
  }
  do {
    const Round round = rounds.next();
    for (std::size_t i = 0; i < round.bare.size(); ++i) {
      const Time& time = round.recorded[i];
      std::fprintf(out, "%.*s %.1f %.1f\n", static_cast<int>(time.kind.size()), time.kind.data(),
                   round.bare[i], time.ns);
    }
  } while (Clock::now() < until);
}

const std::string twins_name = "--twin";

std::vector<double> numbers(const std::vector<Time>& times) {
  std::vector<double> result;
  for (const Time& time : times) result.push_back(time.ns);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: lapscope_call_costs FILE ROUNDS_MS LONGEST_MS\n");
    return 2;
  }
  if (argv[1] == twins_name) {
    end_after(milliseconds_of(argv[2]));
    Turns turns;
    lapscope::call_costs::serve(std::atoi(argv[3]),
                                [&turns](int processor) { return numbers(turns.take(processor)); });
    return 0;
  }
  const milliseconds longest = milliseconds_of(argv[3]);
  end_after(longest);
  constexpr milliseconds ending{400};  // the time that a recorded process needs to exit
  const auto latest = Clock::now() + longest - ending;
  std::FILE* out = std::fopen(argv[1], "w");
  if (!out) return 2;
  try {
    Twin twin({argv[0], twins_name, argv[3]});
    time_calls(twin, milliseconds_of(argv[2]), latest, out);
  } catch (const std::exception& error) {
    std::fprintf(out, "error %s\n", error.what());
    return std::fclose(out) == 0 ? 1 : 2;
  }
  return std::fclose(out) == 0 ? 0 : 2;
}
