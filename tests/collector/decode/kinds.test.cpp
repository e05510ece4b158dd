#include "collector/decode/kinds.h"

#include <set>
#include <string>

#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

bool is_recorded(CUpti_ActivityKind id) {
  for (const Kind& kind : recorded_kinds()) {
    if (kind.id == id) return true;
  }
  return false;
}

TEST_CASE("the kind that serializes all kernels is never recorded", "[decode]") {
  CHECK_FALSE(is_recorded(CUPTI_ACTIVITY_KIND_KERNEL));
  CHECK(is_recorded(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
}

TEST_CASE("the kind that turns lazy loading of modules off is never recorded", "[decode]") {
  CHECK_FALSE(is_recorded(CUPTI_ACTIVITY_KIND_PCIE));
}

// Either would suppress or double the records of single nodes or allocations.
TEST_CASE("kinds that change what others tell are recorded only on request", "[decode]") {
  CHECK_FALSE(is_recorded(CUPTI_ACTIVITY_KIND_MEMORY));
  for (const Kind& kind : recorded_kinds()) {
    INFO(kind.name);
    const bool extra = kind.id == CUPTI_ACTIVITY_KIND_GRAPH_TRACE ||
                       kind.id == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER;
    CHECK(is_default(kind) != extra);
  }
}

TEST_CASE("every recorded kind has a number and name and decoder of its own", "[decode]") {
  std::set<int> ids;
  std::set<std::string> names;
  std::set<DecodeRecord> decoders;
  for (const Kind& kind : recorded_kinds()) {
    INFO(kind.name);
    CHECK(ids.insert(kind.id).second);
    CHECK(names.emplace(kind.name).second);
    CHECK(decoders.insert(kind.decode).second);
  }
}

TEST_CASE("libcupti knows every recorded kind", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  for (const Kind& kind : recorded_kinds()) {
    INFO(kind.name);
    CHECK(cupti::probe_record_size(*cupti, kind.id) > 0);
  }
}

}  // namespace
}  // namespace lapscope::decode
