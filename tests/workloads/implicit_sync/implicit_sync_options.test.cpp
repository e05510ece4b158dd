#include "workloads/implicit_sync/implicit_sync_options.h"

#include "tests/catch.h"
#include "tests/workloads/support/command_line.h"

namespace lapscope::workloads::implicit_sync {
namespace {

Options parse(const std::vector<std::string>& arguments) {
  CommandLine line("implicit_sync", arguments);
  return parse_options(line.argc(), line.argv()).value();
}

TEST_CASE("without options all calls are measured five times and printed as text",
          "[implicit_sync]") {
  const Options options = parse({});
  REQUIRE(options.calls.empty());
  REQUIRE_FALSE(options.list);
  REQUIRE(options.format == Format::text);
  REQUIRE(options.repeats == 5);
}

TEST_CASE("options and calls may be mixed", "[implicit_sync]") {
  const Options options =
      parse({"cudaFree", "--format", "json", "--repeats", "9", "--list", "launch-own-stream"});
  REQUIRE(options.calls == std::vector<std::string>{"cudaFree", "launch-own-stream"});
  REQUIRE(options.list);
  REQUIRE(options.format == Format::json);
  REQUIRE(options.repeats == 9);
}

TEST_CASE("a bad value is refused by the name of its option", "[implicit_sync]") {
  for (const char* value : {"0", "-1", "101", "many", "1.5", ""}) {
    INFO(value);
    REQUIRE(contains(usage_error_of([&] { parse({"--repeats", value}); }), "--repeats"));
  }
  const std::string message = usage_error_of([] { parse({"--format", "xml"}); });
  for (const char* part : {"--format", "text", "json", "'xml'"}) REQUIRE(contains(message, part));
  REQUIRE(contains(usage_error_of([] { parse({"--verbose"}); }), "--verbose"));
}

TEST_CASE("the limits of --repeats are allowed", "[implicit_sync]") {
  REQUIRE(parse({"--repeats", "1"}).repeats == 1);
  REQUIRE(parse({"--repeats", "100"}).repeats == 100);
}

}  // namespace
}  // namespace lapscope::workloads::implicit_sync
