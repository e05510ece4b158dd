#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/altered/alterations.h"
#include "tests/altered/altered_gates.h"
#include "tests/altered/undetectable.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

// A gate that fails for a trace must not pass for an altered copy of the trace. Alterations that no
// check can detect are left out. This test tries some of the other alterations. The program
// `lapscope_altered_gates` tries all of them.
namespace lapscope::altered {
namespace {

namespace fs = std::filesystem;

constexpr const char* traces[] = {"event-chain-broken",   "graph-callback-broken",
                                  "host-callback-broken", "pageable-copy-broken",
                                  "peer-copies-broken",   "sync-device-broken"};

void check(const std::string& name, std::size_t every, std::size_t first) {
  const fs::path trace = fs::path(LAPSCOPE_TEST_TRACES) / (name + ".sqlite");
  const auto conditions = failing_conditions(trace);
  REQUIRE(conditions.size() > 5);
  const std::vector<Alteration> all = alterations_of(trace);
  REQUIRE(all.size() > 1000);
  const test::TemporaryFolder folder;
  const fs::path copy = folder / "altered.sqlite";
  for (std::size_t i = first; i < all.size(); i += every) {
    if (is_undetectable(all[i]) || !write_altered(trace, all[i], copy)) continue;
    for (const auto& [condition, outcome] : judged(copy, conditions).outcomes) {
      INFO(name << ": " << all[i].sql << "; " << condition.text);
      CHECK(outcome != analyzer::Outcome::passed);
    }
  }
}

TEST_CASE("no detectable alteration turns a failed gate into a passed one", "[altered]") {
  // Each trace begins with another alteration, so that the test covers more of them.
  std::size_t first = 0;
  for (const char* trace : traces) check(trace, 97, first++);
}

TEST_CASE("what nobody can see is listed", "[altered]") {
  std::ifstream file(LAPSCOPE_SOURCE_DIR "/docs/security.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const Undetectable& one : undetectable()) {
    INFO(one.table << " " << one.columns);
    CHECK(page.find(table_row(one)) != std::string::npos);
  }
}

}  // namespace
}  // namespace lapscope::altered
