#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace lapscope::workloads::side_by_side {

// How long a kernel and copies in both directions take, alone and together, in us.
struct BesideCopies {
  double kernel_alone_us = 0;
  double kernel_us = 0;
  double copy_in_alone_us = 0;   // Beside the copy out, without the kernel.
  double copy_in_us = 0;         // Beside the copy out and the kernel.
  double copy_out_alone_us = 0;  // Beside the copy in, without the kernel.
  double copy_out_us = 0;        // Beside the copy in and the kernel.
};

// All runs of one kernel, without the warm-up run.
struct Row {
  std::string name;     // "gemm-all".
  unsigned blocks = 0;  // As requested; cuBLAS chooses its own number.
  std::uint32_t work = 0;
  std::map<int, std::vector<double>> us;  // By the number of kernels at once.
  std::vector<double> beside_copies_us;   // The kernel and both copies; unless Form::table.
  std::vector<BesideCopies> copies;       // Only with Form::table.
  std::string failed;                     // Why the kernel could not be measured; else empty.
};

// Prints a line for each kernel: the median time of one launch alone, and for each number in
// `at_once` the median time of this many launches at once, divided by the time alone.
void print_text(std::ostream& out, const std::vector<Row>& rows, const std::vector<int>& at_once);

// Prints JSON: {"schema": "lapscope-side-by-side/1", "device", "form", "seen", "kernels": [{name,
// blocks, work, us: {"1": [..], ..}, beside_copies_us: [..], copies: [{..}], failed}]}.
void print_json(std::ostream& out, const std::vector<Row>& rows, const std::string& device,
                const std::string& form, bool seen);

}  // namespace lapscope::workloads::side_by_side
