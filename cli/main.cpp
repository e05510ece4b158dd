#include <malloc.h>

#include <algorithm>

#include "cli/run.h"
#ifdef LAPSCOPE_ABLATION
#include "cli/ablated.h"
#endif

int main(int argc, char** argv) {
  // The columns of a trace are large. By default, glibc raises the threshold after the first large
  // free, and then keeps freed memory. With a fixed threshold, glibc returns each larger block to
  // the system as soon as it is freed.
  constexpr int mapped_from = 1 << 20;  // bytes
  ::mallopt(M_MMAP_THRESHOLD, mapped_from);
#ifdef LAPSCOPE_ABLATION
  if (const auto status = lapscope::cli::ablated()) return *status;
#endif
  return lapscope::cli::run({argv + std::min(argc, 1), argv + argc});
}
