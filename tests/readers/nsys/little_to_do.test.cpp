#include "reports/words/findings.h"
#include "tests/catch.h"
#include "tests/readers/nsys/exported.h"

namespace lapscope::analyzer {
namespace {

using test::advice_of;
using test::causes_of;
using test::ExportFile;
using test::ms;
using test::NsysRelease;
using test::read_export;

//   thread  mm.l............ss     90 ms from cudaMalloc to cudaDeviceSynchronize
//   stream  ....k.............     one kernel of 2 us
TEST_CASE("if a GPU does almost nothing, the only advice says this") {
  const auto with_ops = [](std::int64_t count, std::int64_t length) {
    return causes_of(read_export(NsysRelease::r2026, [=](ExportFile& file) {
      file.call("cudaMalloc_v3020", 0, 10 * ms);
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t at = 20 * ms + i * (length + 1'000);
        file.kernel("k", at, at + length,
                    file.call("cudaLaunchKernel_v7000", 15 * ms + 10 * i, 15 * ms + 10 * i + 9));
      }
      file.wait(file.call("cudaDeviceSynchronize_v3020", 80 * ms, 90 * ms), 4);
    }));
  };
  const CausesResult one = with_ops(1, 2'000);
  REQUIRE(one.advice.size() == 1);
  CHECK(one.advice[0].step() == AdviceStep::little_work);
  CHECK(one.advice[0].is_main);
  CHECK(reports::sentences_of(one.advice[0], one) ==
        "The GPU works for 2.0 us (k) of the 90.0 ms between the first and the last CUDA call: "
        "there is next to nothing to overlap or to make faster. If the program does more, record "
        "more of it.");
  CHECK(advice_of(with_ops(20, 10'000), "little-work") != nullptr);
  CHECK(advice_of(with_ops(20, 100'000), "little-work") == nullptr);
  CHECK(advice_of(with_ops(1, 40 * ms), "little-work") == nullptr);
}

TEST_CASE("one array that goes to the device and back again and again may stay there") {
  const auto rounds = [](std::int64_t count) {
    return causes_of(read_export(NsysRelease::r2026, [count](ExportFile& file) {
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t at = i * 30 * ms;
        constexpr std::int64_t bytes = 512 << 20;
        file.copy(1, at + 5'000, at + 12 * ms,
                  file.call("cuMemcpyHtoD_v2", at, at + 12 * ms + 1'000), 7, bytes);
        file.kernel("k", at + 13 * ms, at + 17 * ms,
                    file.call("cuLaunchKernel", at + 12 * ms + 990'000, at + 12 * ms + 995'000), 7,
                    4'000);
        file.copy(2, at + 17 * ms + 5'000, at + 29 * ms,
                  file.call("cuMemcpyDtoH_v2", at + 13 * ms, at + 29 * ms + 1'000), 7, bytes);
      }
    }));
  };
  CHECK(advice_of(rounds(10), "resident") != nullptr);
  CHECK(advice_of(rounds(1), "resident") == nullptr);
}

}  // namespace
}  // namespace lapscope::analyzer
