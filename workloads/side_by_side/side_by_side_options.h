#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workloads/harness/usual_choice.h"

namespace lapscope::workloads::side_by_side {

// How the host issues kernels.
enum class Form {
  table,     // No kernel may start before all are issued. So the host does not affect the times.
  together,  // Each in a stream of its own, as fast as the host can.
  apart,     // Like `together`, but the host waits for each kernel. This is the mistake.
};

struct Options {
  std::vector<UsualKind> kinds;
  std::vector<GpuShare> shares;
  std::vector<int> at_once{1, 2, 4, 8};
  Form form = Form::table;
  bool seen = false;   // Before measuring, run each kernel alone and beside its own kind.
  bool copies = true;  // Also run beside copies in both directions.
  double us = 300;     // Target length of a kernel alone.
  int repeats = 5;
  bool json = false;
  std::map<std::string, std::uint32_t> works;  // By "gemm-all"; other kernels are measured.
};

// Returns the checked options, or nothing after printing the help. Throws UsageError.
std::optional<Options> parse_options(int argc, char** argv);

// Returns a name such as "gemm-all".
std::string name_of(UsualKind kind, GpuShare share);

}  // namespace lapscope::workloads::side_by_side
