#include "workloads/streams/suite/case_registry.h"

#include <algorithm>
#include <set>

#include "tests/catch.h"
#include "tests/workloads/support/command_line.h"

namespace lapscope::workloads::streams {
namespace {

bool is_kebab_case(const std::string& name) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !name.empty() && name.front() != '-' && name.back() != '-' &&
         name.find("--") == std::string::npos && std::all_of(name.begin(), name.end(), good);
}

bool is_sentence(const std::string& text) {
  return text.size() > 10 && text.back() == '.' && text.front() != ' ' &&
         text.find('\n') == std::string::npos;
}

TEST_CASE("there are cases, and each has a name of its own", "[streams]") {
  REQUIRE(all_cases().size() > 40);
  std::set<std::string> names;
  for (const Case& each : all_cases()) {
    INFO(each.name);
    REQUIRE(is_kebab_case(each.name));
    REQUIRE(names.insert(each.name).second);
  }
}

TEST_CASE("every case says what is wrong and how to fix it, and can be made", "[streams]") {
  for (const Case& each : all_cases()) {
    INFO(each.name);
    REQUIRE(is_sentence(each.wrong));
    REQUIRE(is_sentence(each.fix));
    REQUIRE(each.make);
    REQUIRE(each.kernel_us >= 10);
    REQUIRE(each.needs.gpus >= 1);
  }
}

TEST_CASE("a case runs from broken to fixed, or is a control", "[streams]") {
  for (const Case& each : all_cases()) {
    INFO(each.name);
    REQUIRE_FALSE(each.variants.empty());
    if (each.variants.size() == 1) {
      REQUIRE(each.variants.front().name == "control");
    } else {
      REQUIRE(each.variants.front().name == "broken");
      REQUIRE(each.variants.back().name == "fixed");
    }
  }
}

TEST_CASE("a broken variant plants exactly one cause, and a fixed one none", "[streams]") {
  for (const Case& each : all_cases()) {
    std::set<std::string> names;
    for (const Variant& variant : each.variants) {
      INFO(each.name << " " << variant.name);
      REQUIRE(is_kebab_case(variant.name));
      REQUIRE(names.insert(variant.name).second);
      REQUIRE(variant.expect != nullptr);
      REQUIRE(variant.wall_tolerance > 0);
      REQUIRE(variant.sum_tolerance > 0);
      if (variant.name == "broken") REQUIRE(variant.causes.size() == 1);
      if (variant.name == "fixed" || variant.name == "control") REQUIRE(variant.causes.empty());
    }
  }
}

TEST_CASE("every cause is planted by some case", "[streams]") {
  std::set<Cause> planted;
  for (const Case& each : all_cases()) {
    for (const Variant& variant : each.variants) {
      planted.insert(variant.causes.begin(), variant.causes.end());
    }
  }
  for (std::size_t i = 0; i < cause_count; ++i) {
    const auto cause = static_cast<Cause>(i);
    INFO(cause_code(cause));
    REQUIRE(planted.count(cause) == 1);
  }
}

TEST_CASE("the name of each case and variant leads back to it", "[streams]") {
  for (const Case& each : all_cases()) {
    REQUIRE(&find_case(each.name) == &each);
    for (const Variant& variant : each.variants) {
      REQUIRE(&find_variant(each, variant.name) == &variant);
    }
  }
}

TEST_CASE("an unknown case gets the nearest name and the list", "[streams]") {
  const std::string message = usage_error_of([] { find_case("pagable-copy"); });
  REQUIRE(contains(message, "'pagable-copy'"));
  REQUIRE(contains(message, "did you mean 'pageable-copy'?"));
  for (const Case& each : all_cases()) REQUIRE(contains(message, each.name));
  REQUIRE_FALSE(contains(usage_error_of([] { find_case("xylophone"); }), "did you mean"));
}

TEST_CASE("an unknown variant gets the nearest name and those of the case", "[streams]") {
  const std::string message =
      usage_error_of([] { find_variant(find_case("buffer-depth"), "tripple"); });
  for (const char* part :
       {"buffer-depth", "'tripple'", "did you mean 'triple'?", "broken", "fixed"}) {
    REQUIRE(contains(message, part));
  }
}

}  // namespace
}  // namespace lapscope::workloads::streams
