#include "workloads/scan/tune/design.cuh"

namespace lapscope::workloads::scan {
namespace {

constexpr Caching normal = Caching::normal;
constexpr Caching streaming = Caching::streaming;
constexpr Resolves first_warp = Resolves::first_warp;

}  // namespace

std::vector<Candidate> early_candidates() {
  return {
      early_candidate<Early<480, 4, 2, 2, FreePrefix>>(),
      early_candidate<Early<480, 4, 2, 2, FreePrefix, streaming>>(),
      early_candidate<Early<480, 4, 2, 3, FreePrefix>>(),
      early_candidate<Early<512, 4, 2, 2, FreePrefix>>(),
      early_candidate<Early<480, 4, 2, 2, CarriedPrefix<5>>>(),
      early_candidate<Early<480, 4, 2, 2, CarriedPrefix<5>, streaming>>(),
      early_candidate<Early<480, 4, 2, 2, CarriedPrefix<9>>>(),
      early_candidate<Early<480, 4, 2, 2, CarriedPrefix<5, 100>>>(),
      early_candidate<Early<480, 4, 2, 2, CarriedPrefix<5, 400>>>(),
      early_candidate<Early<480, 4, 2, 3, CarriedPrefix<5>>>(),
      early_candidate<Early<480, 4, 2, 3, CarriedPrefix<5>, streaming>>(),
      early_candidate<Early<480, 4, 2, 3, CarriedPrefix<5, 200>>>(),
      early_candidate<Early<480, 4, 2, 1, CarriedPrefix<5>>>(),
      early_candidate<Early<512, 4, 2, 2, CarriedPrefix<5>>>(),
      early_candidate<Early<512, 4, 2, 2, CarriedPrefix<5>, normal, first_warp>>(),
      early_candidate<Early<512, 4, 2, 3, CarriedPrefix<5>, normal, first_warp>>(),
      early_candidate<Early<480, 4, 2, 2, SegmentPrefix<4, 128>>>(),
      early_candidate<Early<480, 4, 2, 3, SegmentPrefix<4, 128>>>(),
      early_candidate<Early<480, 4, 2, 3, SegmentPrefix<4, 256>>>(),
      early_candidate<Early<480, 4, 2, 3, SegmentPrefix<8, 512>>>(),
      early_candidate<Early<480, 4, 2, 3, SegmentPrefix<4, 128, 100>>>(),
      early_candidate<Early<480, 2, 2, 3, CarriedPrefix<5>>>(),
      early_candidate<Early<480, 3, 2, 3, CarriedPrefix<5>>>(),
      early_candidate<Early<224, 9, 2, 2, CarriedPrefix<5>>>(),
      early_candidate<Early<224, 9, 2, 2, CarriedPrefix<5>, Caching::streaming>>(),
      early_candidate<Early<224, 8, 2, 2, CarriedPrefix<5>>>(),
      early_candidate<Early<224, 4, 4, 2, CarriedPrefix<5>>>(),
      early_candidate<Early<224, 4, 4, 2, SegmentPrefix<4, 128>>>(),
      early_candidate<Early<352, 5, 2, 3, CarriedPrefix<5>>>(),
      early_candidate<Early<480, 5, 2, 2, CarriedPrefix<5>>>(),
  };
}

}  // namespace lapscope::workloads::scan
