#include "collector/trace/output_name.h"

#include "collector/environment.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::trace {
namespace {

using test::ScopedVariable;

TEST_CASE("placeholders are filled in", "[trace]") {
  const NameParts all{4711, "3", "node7"};
  CHECK(plain(fill_in("/a/t.%p.sqlite", all)) == "/a/t.4711.sqlite");
  CHECK(plain(fill_in("%h.%r.%p.sqlite", all)) == "node7.3.4711.sqlite");
  CHECK(plain(fill_in("t.sqlite", all)) == "t.sqlite");
}

TEST_CASE("what is not known stays a placeholder", "[trace]") {
  const auto here = fill_in("%h.%r.%p.sqlite", {std::nullopt, std::nullopt, "node7"});
  CHECK(here == "node7.%r.%p.sqlite");
  CHECK(is_open(here));
  const auto ranked = fill_in("t.%r.sqlite", {std::nullopt, "3", std::nullopt});
  CHECK(ranked == "t.3.sqlite");
  CHECK_FALSE(is_open(ranked));
}

TEST_CASE("a capture has a number", "[trace]") {
  CHECK(is_open("t.%n.sqlite"));
  const auto second = fill_in("t.%n.sqlite", {std::nullopt, std::nullopt, std::nullopt, 2});
  CHECK(second == "t.2.sqlite");
  CHECK_FALSE(is_open(second));
}

TEST_CASE("a percent sign is itself when doubled, last, or before another letter", "[trace]") {
  const NameParts all{4711, "3", "50%p"};
  CHECK(plain(fill_in("100%%.sqlite", all)) == "100%.sqlite");
  CHECK(plain(fill_in("%%p.sqlite", all)) == "%p.sqlite");
  CHECK(plain(fill_in("t%", all)) == "t%");
  CHECK(plain(fill_in("%x.sqlite", all)) == "%x.sqlite");
  CHECK(plain(fill_in("%h.sqlite", all)) == "50%p.sqlite");
  CHECK_FALSE(is_open("100%%p.sqlite"));
}

TEST_CASE("a path with percent signs has a pattern", "[trace]") {
  for (const char* path : {"/runs/%p/t.sqlite", "50%p.%%.sqlite", "t%"}) {
    INFO(path);
    CHECK_FALSE(is_open(pattern_of(path)));
    CHECK(plain(pattern_of(path)) == path);
  }
}

TEST_CASE("folders have no placeholders", "[trace]") {
  CHECK(plain(fill_in("/runs/%p/t.sqlite", {4711, "3", "h"})) == "/runs/%p/t.sqlite");
  CHECK_FALSE(is_open("/runs/%p/t.sqlite"));
}

TEST_CASE("the rank is the nearest launcher's", "[trace]") {
  const ScopedVariable none[] = {{"RANK", nullptr},         {"OMPI_COMM_WORLD_RANK", nullptr},
                                 {"PMIX_RANK", nullptr},    {"PMI_RANK", nullptr},
                                 {"SLURM_PROCID", nullptr}, {"MV2_COMM_WORLD_RANK", nullptr}};
  CHECK_FALSE(environment::rank().has_value());
  CHECK_FALSE(environment::world_size().has_value());
  CHECK_FALSE(environment::may_have_other_ranks());
  const ScopedVariable slurm("SLURM_PROCID", "5");
  const ScopedVariable tasks("SLURM_STEP_NUM_TASKS", "6");
  CHECK(environment::rank() == "5");
  CHECK(environment::world_size() == "6");
  const ScopedVariable torchrun("RANK", "41");
  CHECK(environment::rank() == "41");
  CHECK_FALSE(environment::world_size().has_value());  // Slurm's variable counts other processes
  CHECK(environment::may_have_other_ranks());
  const ScopedVariable torchrun_size("WORLD_SIZE", "48");
  CHECK(environment::world_size() == "48");
}

TEST_CASE("a lone rank has no others", "[trace]") {
  const ScopedVariable rank("RANK", "0");
  const ScopedVariable size("WORLD_SIZE", "1");
  CHECK_FALSE(environment::may_have_other_ranks());
}

TEST_CASE("what is no number is no rank", "[trace]") {
  for (const char* value : {"", "-1", "a", "../x", "1 ", "12345678901"}) {
    INFO(value);
    const ScopedVariable others[] = {{"OMPI_COMM_WORLD_RANK", nullptr},
                                     {"PMIX_RANK", nullptr},
                                     {"PMI_RANK", nullptr},
                                     {"SLURM_PROCID", nullptr},
                                     {"MV2_COMM_WORLD_RANK", nullptr}};
    const ScopedVariable rank("RANK", value);
    CHECK_FALSE(environment::rank().has_value());
  }
}

}  // namespace
}  // namespace lapscope::trace
