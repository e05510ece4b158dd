#include "workloads/scan/tune/design.cuh"

namespace lapscope::workloads::scan {
namespace {

template <unsigned Threads, unsigned Rows, unsigned Blocks, unsigned Stages, typename Prefixes,
          Caching Stores = Caching::normal>
using Bulk =
    Early<Threads, Rows, Blocks, Stages, Prefixes, Stores, Resolves::extra_warp, BulkLoader>;

}  // namespace

std::vector<Candidate> bulk_candidates() {
  return {
      early_candidate<Bulk<480, 4, 2, 2, FreePrefix>>(),
      early_candidate<Bulk<480, 4, 2, 3, FreePrefix>>(),
      early_candidate<Bulk<992, 4, 1, 3, FreePrefix>>(),
      early_candidate<Bulk<480, 4, 2, 2, CarriedPrefix<5>>>(),
      early_candidate<Bulk<480, 4, 2, 3, CarriedPrefix<5>>>(),
      early_candidate<Bulk<480, 4, 2, 3, CarriedPrefix<5>, Caching::streaming>>(),
      early_candidate<Bulk<992, 4, 1, 3, CarriedPrefix<5>>>(),
      early_candidate<Bulk<480, 8, 1, 3, CarriedPrefix<5>>>(),
      early_candidate<Bulk<480, 8, 1, 3, CarriedPrefix<5>, Caching::streaming>>(),
      early_candidate<Bulk<992, 2, 1, 6, CarriedPrefix<5>>>(),
      early_candidate<Bulk<480, 4, 2, 3, SegmentPrefix<4, 128>>>(),
  };
}

}  // namespace lapscope::workloads::scan
