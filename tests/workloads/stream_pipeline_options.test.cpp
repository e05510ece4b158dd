#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/workloads/support/command_line.h"
#include "workloads/stream_pipeline/stream_pipeline_options.h"

namespace lapscope::workloads {
namespace {

Options parse(const std::vector<std::string>& arguments) {
  CommandLine line("stream_pipeline", arguments);
  return parse_options(line.argc(), line.argv()).value();
}

std::string usage_error(const std::vector<std::string>& arguments) {
  return usage_error_of([&] { parse(arguments); });
}

TEST_CASE("without options the pipeline is overlapped and its kernel takes 300 us", "[workloads]") {
  const Options options = parse({});
  REQUIRE(options.variant == Variant::overlapped);
  REQUIRE(options.tiles == 24);
  REQUIRE(options.buffers == 4);
  REQUIRE(options.tile_mib == 16);
  REQUIRE(options.kernel_us.value() == 300.0);
  REQUIRE(options.repeats == 1);
  REQUIRE_FALSE(options.engine_bound);
}

TEST_CASE("the host holds all tiles twice, the device those in its buffers", "[workloads]") {
  Options options = parse({});
  const Memory few = memory_needed(options);
  options.tiles += 10;
  options.buffers += 3;
  const Memory more = memory_needed(options);
  REQUIRE(more.host_bytes - few.host_bytes == std::size_t{2} * 10 * 16 << 20);
  REQUIRE(more.device_bytes - few.device_bytes == std::size_t{3} * 16 << 20);
}

TEST_CASE("every option is taken", "[workloads]") {
  const Options options =
      parse({"--variant", "default-stream", "--tiles", "12", "--buffers", "6", "--tile-mib", "8",
             "--kernel-us", "250.5", "--repeats", "5", "--engine-bound"});
  REQUIRE(options.variant == Variant::default_stream);
  REQUIRE(options.tiles == 12);
  REQUIRE(options.buffers == 6);
  REQUIRE(options.tile_mib == 8);
  REQUIRE(options.kernel_us.value() == 250.5);
  REQUIRE(options.repeats == 5);
  REQUIRE(options.engine_bound);
}

TEST_CASE("an automatic kernel has no length yet", "[workloads]") {
  REQUIRE_FALSE(parse({"--kernel-us", "auto"}).kernel_us.has_value());
}

TEST_CASE("the name of each variant leads back to it", "[workloads]") {
  for (const Variant variant :
       {Variant::serial, Variant::default_stream, Variant::overlapped, Variant::per_buffer}) {
    REQUIRE(parse_variant(variant_name(variant)) == variant);
  }
}

TEST_CASE("an unknown variant lists the valid ones", "[workloads]") {
  const std::string message = usage_error({"--variant", "fast"});
  for (const char* part :
       {"--variant", "serial", "default-stream", "overlapped", "stream-per-buffer", "'fast'"}) {
    REQUIRE(contains(message, part));
  }
}

TEST_CASE("a bad value is refused by the name of its option", "[workloads]") {
  for (const char* option : {"--tiles", "--buffers", "--tile-mib", "--kernel-us", "--repeats"}) {
    for (const char* value : {"0", "-3", "many", "1e9", ""}) {
      INFO(option << " " << value);
      REQUIRE(contains(usage_error({option, value}), option));
    }
  }
}

TEST_CASE("numbers that are none are refused for the kernel's length", "[workloads]") {
  for (const char* value : {"nan", "inf", "300us", " 300", "Auto"}) {
    REQUIRE(contains(usage_error({"--kernel-us", value}), "--kernel-us"));
  }
}

TEST_CASE("the variants differ only in where they put the work", "[workloads]") {
  const StreamLayout serial = layout_of(Variant::serial, 4);
  REQUIRE(serial.streams() == 1);
  REQUIRE(serial.buffers == 1);
  REQUIRE_FALSE(serial.stamp_in_default_stream);

  const StreamLayout broken = layout_of(Variant::default_stream, 4);
  REQUIRE(broken.streams() == 3);
  REQUIRE(broken.stream_per_engine);
  REQUIRE(broken.kind == StreamKind::blocking);
  REQUIRE(broken.stamp_in_default_stream);

  const StreamLayout fixed = layout_of(Variant::overlapped, 4);
  REQUIRE(fixed.streams() == 4);  // One stream is for the stamps.
  REQUIRE(fixed.stream_per_engine);
  REQUIRE(fixed.kind == StreamKind::non_blocking);
  REQUIRE_FALSE(fixed.stamp_in_default_stream);

  const StreamLayout per_buffer = layout_of(Variant::per_buffer, 5);
  REQUIRE(per_buffer.streams() == 5);
  REQUIRE_FALSE(per_buffer.stream_per_engine);
  REQUIRE(per_buffer.kind == StreamKind::non_blocking);
  REQUIRE_FALSE(per_buffer.stamp_in_default_stream);
}

TEST_CASE("every variant but the serial one has as many buffers as were asked for", "[workloads]") {
  REQUIRE(layout_of(Variant::serial, 5).buffers == 1);
  for (const Variant variant :
       {Variant::default_stream, Variant::overlapped, Variant::per_buffer}) {
    REQUIRE(layout_of(variant, 5).buffers == 5);
  }
}

}  // namespace
}  // namespace lapscope::workloads
