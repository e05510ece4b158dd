#include "collector/cupti/cupti_api.h"
#include "collector/cupti/records.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"
#include "tests/collector/support/real_cupti.h"

namespace lapscope::cupti {
namespace {

namespace fs = std::filesystem;
using test::Containing;
using test::TemporaryFolder;

// The next three tests call load_cupti() in a child process. So the libraries that these tests load
// are not in the process of the other tests.
TEST_CASE("a missing library is reported in a sentence, not by an exception", "[cupti]") {
  test::Child child([] {
    const LoadResult result = load_cupti("/no/such/libcupti.so.13", {});
    return !result.api && result.problem.find("/no/such/libcupti.so.13") != std::string::npos ? 0
                                                                                              : 1;
  });
  CHECK(child.wait().exit_status == 0);
}

TEST_CASE("a library that is something else is not taken", "[cupti]") {
  test::Child child([] {
    const LoadResult result = load_cupti("libm.so.6", {});
    return !result.api && result.problem.find("lacks") != std::string::npos ? 0 : 1;
  });
  CHECK(child.wait().exit_status == 0);
}

TEST_CASE("a file that is no library is not taken", "[cupti]") {
  const TemporaryFolder folder;
  test::write_file(folder / "libcupti.so.13", "nothing of the sort");
  test::Child child([&] {
    const LoadResult result = load_cupti((folder / "libcupti.so.13").string(), {});
    return !result.api && !result.problem.empty() ? 0 : 1;
  });
  CHECK(child.wait().exit_status == 0);
}

TEST_CASE("the toolkit's library has all that the collector needs", "[cupti]") {
  const CuptiApi& cupti = test::real_cupti();

  CHECK(fs::exists(cupti.path));
  CHECK(cupti.version >= 18);
  CHECK(cupti.activity_enable_runtime_api != nullptr);
  CHECK(cupti.initialize_nvtx != nullptr);
}

TEST_CASE("the library that the process has already is preferred", "[cupti]") {
  const CuptiApi& cupti = test::real_cupti();

  const LoadResult again = load_cupti("/no/such/libcupti.so.13", {});
  REQUIRE(again.api.has_value());
  CHECK(again.api->path == cupti.path);
  CHECK(again.api->get_version == cupti.get_version);
}

TEST_CASE("the record sizes of libcupti are found out without a GPU", "[cupti]") {
  const CuptiApi& cupti = test::real_cupti();

  // Newer libraries may have larger records.
  if (cupti.version < 130000 || cupti.version >= 130100) {
    test::skip_because("the expected sizes are those of CUDA 13.0");
  }
  const auto size = [&cupti](CUpti_ActivityKind kind) { return probe_record_size(cupti, kind); };
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
  const CuptiApi& cupti = test::real_cupti();

  CHECK(probe_record_size(cupti, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) >=
        offsetof(records::Kernel, isDeviceLaunched));
  CHECK(probe_record_size(cupti, CUPTI_ACTIVITY_KIND_MEMCPY) >=
        offsetof(records::Memcpy, copyCount));
  CHECK(probe_record_size(cupti, CUPTI_ACTIVITY_KIND_RUNTIME) == sizeof(records::Api));
}

TEST_CASE("a libcupti before that of CUDA 12.4 is refused, and what to do is said", "[cupti]") {
  CuptiApi api;
  api.path = "/old/libcupti.so.12";
  std::string problem;
  for (const std::uint32_t version : {22U, 28U, 130001U, 130200U}) {
    api.version = version;
    CHECK(is_usable(api, problem));
  }
  CHECK(problem.empty());
  api.version = 21;
  CHECK_FALSE(is_usable(api, problem));
  CHECK_THAT(problem, Containing("/old/libcupti.so.12") && Containing("version 21") &&
                          Containing("CUDA 12.4") && Containing("record --cupti"));
  api.version = 130000;
  CHECK_FALSE(is_usable(api, problem));
  CHECK_THAT(problem, Containing("update 1"));
  api.version = 0;
  CHECK_FALSE(is_usable(api, problem));
  CHECK_THAT(problem, Containing("does not say its version") && !Containing("older"));
}

TEST_CASE("a kind that libcupti does not know has size 0", "[cupti]") {
  const CuptiApi& cupti = test::real_cupti();

  CHECK(probe_record_size(cupti, CUPTI_ACTIVITY_KIND_INVALID) == 0);
  CHECK(probe_record_size(cupti, static_cast<CUpti_ActivityKind>(100'000)) == 0);
}

TEST_CASE("results are called by CUPTI's names", "[cupti]") {
  const CuptiApi& cupti = test::real_cupti();

  CHECK(result_name(cupti, CUPTI_ERROR_INVALID_KIND) == "CUPTI_ERROR_INVALID_KIND");
  CHECK(result_name(cupti, static_cast<CUptiResult>(4711)) == "CUPTI error 4711");
}

TEST_CASE("results have a name without libcupti too", "[cupti]") {
  CHECK(result_name(CuptiApi{}, CUPTI_ERROR_INVALID_KIND) == "CUPTI error 21");
}

}  // namespace

}  // namespace lapscope::cupti
