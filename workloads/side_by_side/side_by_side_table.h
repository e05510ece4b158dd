#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace lapscope::workloads::side_by_side {

// A kernel beside copies in both directions, each alone and all together; in us.
struct BesideCopies {
  double kernel_alone_us = 0;
  double kernel_us = 0;
  double copy_in_alone_us = 0;   // Beside the copy out, without the kernel.
  double copy_in_us = 0;         //
  double copy_out_alone_us = 0;  // Beside the copy in, without the kernel.
  double copy_out_us = 0;        //
};

// All runs of one kernel, after one that does not count.
struct Row {
  std::string name;     // "gemm-all".
  unsigned blocks = 0;  // As asked for; cuBLAS chooses its own.
  std::uint32_t work = 0;
  std::map<int, std::vector<double>> us;  // By how many at once.
  std::vector<double> beside_copies_us;   // The kernel and both copies; only where the host issues.
  std::vector<BesideCopies> copies;       // Only in a table.
  std::string failed;                     // Why it could not be measured, if not empty.
};

// A line for each kernel: the median of one alone, and what several take against it.
void print_text(std::ostream& out, const std::vector<Row>& rows, const std::vector<int>& at_once);

// {"schema": "lapscope-side-by-side/1", "device", "form", "seen", "kernels": [{name, blocks, work,
// us: {"1": [..], ..}, beside_copies_us: [..], copies: [{..}], failed}]}.
void print_json(std::ostream& out, const std::vector<Row>& rows, const std::string& device,
                const std::string& form, bool seen);

}  // namespace lapscope::workloads::side_by_side
