#include "collector/inject/kept_records.h"

#include "tests/catch.h"

namespace lapscope::inject {
namespace {

using namespace std::chrono_literals;

std::vector<std::int64_t> ends(const auto& batches) {
  std::vector<std::int64_t> result;
  for (const KeptRecords::Batch& batch : batches) result.push_back(batch.end);
  return result;
}

using Ends = std::vector<std::int64_t>;

//   ends of batches   100  150  200  250
//   kept                   [-- 100 ns --]   the second batch ends when the kept time begins
TEST_CASE("batches that ended before the kept time are old", "[inject]") {
  KeptRecords kept(100ns, 20);
  for (const std::int64_t end : {100, 150, 200, 250}) kept.add({end, {}, {}});
  CHECK(ends(kept.take_old()) == Ends{100});
  CHECK(kept.begin() == 150);
  CHECK(kept.take_old().empty());
  kept.add({300, {}, {}});
  CHECK(ends(kept.take_old()) == Ends{150});
  CHECK(ends(kept.take_all()) == Ends{200, 250, 300});
}

TEST_CASE("nothing is kept of the time before the recording", "[inject]") {
  KeptRecords kept(1s, 70);
  kept.add({100, {}, {}});
  CHECK(kept.begin() == 70);
  CHECK(kept.take_all().front().begin == 70);
}

TEST_CASE("kept records have a limit, and what is left is complete", "[inject]") {
  KeptRecords kept(1s, 20);
  const std::vector<Completed> some(KeptRecords::most_buffers / 2);
  for (const std::int64_t end : {100, 150, 200}) kept.add({end, some, {}});
  CHECK(ends(kept.take_old()) == Ends{100});
  CHECK(kept.begin() == 100);
  kept.add({250, {}, std::vector<callbacks::Event>(KeptRecords::most_events + 1)});
  CHECK(ends(kept.take_old()) == Ends{150, 200, 250});
  CHECK(kept.begin() == 250);
}

}  // namespace
}  // namespace lapscope::inject
