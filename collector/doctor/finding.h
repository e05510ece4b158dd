#pragma once

#include <string>
#include <vector>

// Whether recording will work on this machine, and why not. Nothing here initialises CUDA, which
// takes a while, and GPU memory: what a GPU itself would say against it shows while recording.
namespace lapscope::doctor {

enum class Level {
  good,
  note,  // works, but may surprise
  bad,   // stands in the way of recording
};

struct Finding {
  Level level = Level::good;
  std::string subject;  // a word or two
  std::string state;    // what was found
  std::string remedy;   // a sentence with the next step; empty when there is nothing to do
};

using Findings = std::vector<Finding>;

}  // namespace lapscope::doctor
