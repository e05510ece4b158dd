#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workloads/harness/usual_choice.h"

namespace lapscope::workloads::side_by_side {

// How kernels are issued.
enum class Form {
  table,     // Queued before the first may start: what the GPU makes of them, without the host.
  together,  // Each in a stream of its own, as fast as the host can.
  apart,     // The same, but the host waits after each: what is to be mended.
};

struct Options {
  std::vector<UsualKind> kinds;
  std::vector<GpuShare> shares;
  std::vector<int> at_once{1, 2, 4, 8};
  Form form = Form::table;
  bool seen = false;   // Before it is measured, a kernel is shown alone and beside its own.
  bool copies = true;  // Also beside copies in both directions.
  double us = 300;     // Wanted length of a kernel alone.
  int repeats = 5;
  bool json = false;
  std::map<std::string, std::uint32_t> works;  // By "gemm-all"; what is not there is measured.
};

// The checked options, or nothing if the user asked for help, now printed. Throws UsageError.
std::optional<Options> parse_options(int argc, char** argv);

// "gemm-all".
std::string name_of(UsualKind kind, GpuShare share);

}  // namespace lapscope::workloads::side_by_side
