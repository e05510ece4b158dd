#include "collector/cupti/records.h"
#include "tests/catch.h"
#include "tests/collector/support/real_cupti.h"

namespace lapscope::cupti {
namespace {

TEST_CASE("the record sizes of libcupti are found out without a GPU", "[cupti]") {
  const CuptiApi* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  // Newer libraries may have grown them; of CUDA 13.0 they are known.
  if (cupti->version < 130000 || cupti->version >= 130100) {
    SKIP_BECAUSE("the expected sizes are those of CUDA 13.0");
  }
  const auto size = [cupti](CUpti_ActivityKind kind) { return probe_record_size(*cupti, kind); };
  CHECK(size(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == 216);
  CHECK(size(CUPTI_ACTIVITY_KIND_MEMCPY) == 96);
  CHECK(size(CUPTI_ACTIVITY_KIND_MEMCPY2) == 96);
  CHECK(size(CUPTI_ACTIVITY_KIND_MEMSET) == 88);
  CHECK(size(CUPTI_ACTIVITY_KIND_RUNTIME) == 40);
  CHECK(size(CUPTI_ACTIVITY_KIND_DRIVER) == 40);
  CHECK(size(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION) == 56);
  CHECK(size(CUPTI_ACTIVITY_KIND_CUDA_EVENT) == 56);
  CHECK(size(CUPTI_ACTIVITY_KIND_STREAM) == 24);
  CHECK(size(CUPTI_ACTIVITY_KIND_CONTEXT) == 32);
  CHECK(size(CUPTI_ACTIVITY_KIND_DEVICE) == 184);
  CHECK(size(CUPTI_ACTIVITY_KIND_MEMORY2) == 128);
  CHECK(size(CUPTI_ACTIVITY_KIND_OVERHEAD) == 56);
  CHECK(size(CUPTI_ACTIVITY_KIND_MARKER) == 56);
  CHECK(size(CUPTI_ACTIVITY_KIND_NVLINK) == 136);
}

TEST_CASE("no record of libcupti is shorter than the layout of its kind since CUDA 12.8",
          "[cupti]") {
  const CuptiApi* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  CHECK(probe_record_size(*cupti, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) >=
        offsetof(records::Kernel, isDeviceLaunched));
  CHECK(probe_record_size(*cupti, CUPTI_ACTIVITY_KIND_MEMCPY) >=
        offsetof(records::Memcpy, copyCount));
  CHECK(probe_record_size(*cupti, CUPTI_ACTIVITY_KIND_RUNTIME) == sizeof(records::Api));
}

TEST_CASE("a kind that libcupti does not know has size 0", "[cupti]") {
  const CuptiApi* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  CHECK(probe_record_size(*cupti, CUPTI_ACTIVITY_KIND_INVALID) == 0);
  CHECK(probe_record_size(*cupti, static_cast<CUpti_ActivityKind>(100'000)) == 0);
}

TEST_CASE("results are called by CUPTI's names", "[cupti]") {
  const CuptiApi* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  CHECK(result_name(*cupti, CUPTI_ERROR_INVALID_KIND) == "CUPTI_ERROR_INVALID_KIND");
  CHECK(result_name(*cupti, static_cast<CUptiResult>(4711)) == "CUPTI error 4711");
}

TEST_CASE("results have a name without libcupti too", "[cupti]") {
  CHECK(result_name(CuptiApi{}, CUPTI_ERROR_INVALID_KIND) == "CUPTI error 21");
}

}  // namespace
}  // namespace lapscope::cupti
