#include <malloc.h>

#include <algorithm>

#include "cli/run.h"
#ifdef LAPSCOPE_ABLATION
#include "cli/ablated.h"
#endif

int main(int argc, char** argv) {
  // Columns of a trace are large, and what is given back should be gone: by default the C library
  // keeps more and more of it after the first time.
  constexpr int mapped_from = 1 << 20;  // bytes
  ::mallopt(M_MMAP_THRESHOLD, mapped_from);
#ifdef LAPSCOPE_ABLATION
  if (const auto status = lapscope::cli::ablated()) return *status;
#endif
  return lapscope::cli::run({argv + std::min(argc, 1), argv + argc});
}
