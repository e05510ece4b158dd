#include "workloads/scan/tune/design.cuh"

namespace lapscope::workloads::scan {
namespace {

constexpr Caching normal = Caching::normal;
constexpr Caching streaming = Caching::streaming;
constexpr Resolves first_warp = Resolves::first_warp;

}  // namespace

std::vector<Candidate> large_candidates() {
  return {
      early_candidate<Early<992, 4, 1, 3, FreePrefix>>(),
      early_candidate<Early<480, 8, 1, 3, FreePrefix>>(),
      early_candidate<Early<992, 4, 1, 3, FreePrefix, streaming>>(),
      early_candidate<Early<992, 4, 1, 2, CarriedPrefix<5>>>(),
      early_candidate<Early<992, 4, 1, 3, CarriedPrefix<5>>>(),
      early_candidate<Early<992, 4, 1, 3, CarriedPrefix<5>, streaming>>(),
      early_candidate<Early<992, 4, 1, 3, CarriedPrefix<5, 100>>>(),
      early_candidate<Early<1024, 4, 1, 3, CarriedPrefix<5>, normal, first_warp>>(),
      early_candidate<Early<992, 4, 1, 3, SegmentPrefix<4, 128>>>(),
      early_candidate<Early<480, 8, 1, 2, CarriedPrefix<5>>>(),
      early_candidate<Early<480, 8, 1, 3, CarriedPrefix<5>>>(),
      early_candidate<Early<480, 8, 1, 3, CarriedPrefix<5>, streaming>>(),
      early_candidate<Early<512, 8, 1, 3, CarriedPrefix<5>, normal, first_warp>>(),
      early_candidate<Early<480, 8, 1, 3, SegmentPrefix<4, 128>>>(),
      early_candidate<Early<736, 4, 1, 4, CarriedPrefix<5>>>(),
      early_candidate<Early<480, 4, 1, 6, CarriedPrefix<5>>>(),
      early_candidate<Early<992, 2, 1, 4, CarriedPrefix<5>>>(),
      early_candidate<Early<480, 10, 1, 2, CarriedPrefix<5>>>(),
  };
}

}  // namespace lapscope::workloads::scan
