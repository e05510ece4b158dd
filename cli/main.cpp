#include <malloc.h>

#include <algorithm>

#include "cli/run.h"
#ifdef LAPSCOPE_ABLATION
#include "cli/ablated.h"
#endif

int main(int argc, char** argv) {
  // The columns of a trace are large. glibc maps each block above a threshold separately, and
  // returns it to the system when it is freed. By default, glibc raises this threshold when a large
  // block is freed. glibc then keeps blocks that are freed later. A fixed threshold prevents this.
  constexpr int mapped_from = 1 << 20;  // bytes
  ::mallopt(M_MMAP_THRESHOLD, mapped_from);
#ifdef LAPSCOPE_ABLATION
  if (const auto status = lapscope::cli::ablated()) return *status;
#endif
  return lapscope::cli::run({argv + std::min(argc, 1), argv + argc});
}
