#include <random>

#include "readers/read_trace.h"
#include "tests/analyzer/support/random_rows.h"
#include "tests/analyzer/support/rounds.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

// The order of rows in a file does not matter.
namespace lapscope::analyzer {
namespace {

Trace trace_of(const test::TraceRows& rows, const test::TemporaryFolder& folder) {
  const auto file = folder / "t.sqlite";
  std::filesystem::remove(file);
  rows.write(file);
  return read_trace(file);
}

void require_same(const Ops& a, const Ops& b) {
  std::apply([&](auto... column) { REQUIRE(((a.*column == b.*column) && ...)); }, Ops::columns());
  REQUIRE(a.geometries == b.geometries);
}

// Compares the tuples that `parts` makes of the entries.
template <class T, class Parts>
void require_same(const std::vector<T>& a, const std::vector<T>& b, Parts parts) {
  REQUIRE(std::equal(a.begin(), a.end(), b.begin(), b.end(),
                     [&](const T& x, const T& y) { return parts(x) == parts(y); }));
}

TEST_CASE("rows in another order give the same ops, calls, synchronizations, events and contexts") {
  const test::TemporaryFolder folder;
  std::size_t synchronizations = 0;
  std::size_t records = 0;
  for (unsigned seed = 0; seed < test::rounds(100); ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    test::TraceRows rows = test::random_rows(random);
    const Trace a = trace_of(rows, folder);
    rows.shuffle(random);
    const Trace b = trace_of(rows, folder);
    REQUIRE(a.devices.size() == b.devices.size());
    for (std::size_t device = 0; device < a.devices.size(); ++device) {
      require_same(a.devices[device].ops, b.devices[device].ops);
    }
    REQUIRE(a.calls.start == b.calls.start);
    REQUIRE(a.calls.end == b.calls.end);
    REQUIRE(a.calls.name == b.calls.name);
    require_same(a.synchronizations, b.synchronizations, [](const Synchronization& s) {
      return std::tie(s.call, s.pid, s.kind, s.stream, s.context, s.event, s.event_sync);
    });
    require_same(a.event_records, b.event_records, [](const EventRecord& r) {
      return std::tie(r.call, r.pid, r.stream, r.context, r.event, r.event_sync);
    });
    require_same(a.contexts, b.contexts, [](const CudaContext& c) {
      return std::tie(c.pid, c.id, c.device, c.null_stream);
    });
    REQUIRE(a.settings == b.settings);
    synchronizations += a.synchronizations.size();
    records += a.event_records.size();
  }
  REQUIRE(synchronizations > 100);
  REQUIRE(records > 100);
}

}  // namespace
}  // namespace lapscope::analyzer
