#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/child_run.h"

namespace lapscope::bench {

// Compares the times of commands. Each round runs each command once, so a machine that becomes
// slower slows all of them down.
class Rounds {
 public:
  using Command = std::vector<std::string>;

  explicit Rounds(std::vector<Command> commands, std::function<Run(const Command&)> run = run_child)
      : commands_(std::move(commands)),
        run_(std::move(run)),
        taken_(commands_.size()),
        runs_(commands_.size()) {}

  // Returns the next run of a command. If all runs of the command were already returned, first runs
  // another round. Throws the exceptions of `run`.
  const Run& next(std::size_t command) {
    if (taken_[command] == runs_[command].size()) {
      std::vector<Run> round;
      for (const Command& each : commands_) round.push_back(run_(each));
      for (std::size_t i = 0; i < round.size(); ++i) runs_[i].push_back(round[i]);
    }
    return runs_[command][taken_[command]++];
  }

  // Returns all runs of a command so far. Element i is the run of round i.
  const std::vector<Run>& runs(std::size_t command) const { return runs_[command]; }

 private:
  std::vector<Command> commands_;
  std::function<Run(const Command&)> run_;
  std::vector<std::size_t> taken_;
  std::vector<std::vector<Run>> runs_;
};

}  // namespace lapscope::bench
