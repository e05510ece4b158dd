#include "workloads/stream_pipeline/stream_pipeline_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>

#include "workloads/harness/calibration.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/tile_pipeline.h"

namespace lapscope::workloads {
namespace {

constexpr std::array<std::pair<Variant, std::string_view>, 4> variants{{
    {Variant::serial, "serial"},
    {Variant::default_stream, "default-stream"},
    {Variant::overlapped, "overlapped"},
    {Variant::per_buffer, "stream-per-buffer"},
}};

constexpr const char* footer =
    "Variants:\n"
    "  serial             everything in one stream, with one buffer\n"
    "  default-stream     a stream for each engine, and a 20 us kernel per tile in the default\n"
    "                     stream\n"
    "  overlapped         a stream for each engine, and one for the 20 us kernels\n"
    "  stream-per-buffer  a stream for each buffer\n"
    "\n"
    "Example:\n"
    "  stream_pipeline --variant default-stream --tiles 12\n"
    "\n"
    "Exit codes: 0 verified, 1 failed or wrong result, 2 wrong command line, 77 no GPU or too\n"
    "little memory.";

constexpr int min_kernel_us = 10;
constexpr int max_kernel_us = 100000;

void require_range(const std::string& option, double value, int low, int high) {
  if (value >= low && value <= high) return;
  throw UsageError(option + " must be from " + std::to_string(low) + " to " + std::to_string(high));
}

}  // namespace

std::string_view variant_name(Variant variant) {
  for (const auto& [value, name] : variants) {
    if (value == variant) return name;
  }
  return "unknown";
}

Variant parse_variant(std::string_view name) {
  std::string valid;
  for (const auto& [value, valid_name] : variants) {
    if (valid_name == name) return value;
    valid.append(valid.empty() ? "" : ", ").append(valid_name);
  }
  throw UsageError("--variant must be one of " + valid + ", not '" + std::string(name) + "'");
}

int StreamLayout::streams() const {
  if (!stream_per_engine) return buffers;
  return EngineStreams::count + (stamp_in_default_stream ? 0 : 1);
}

StreamLayout layout_of(Variant variant, int buffers) {
  switch (variant) {
    case Variant::serial:
      return {};
    case Variant::default_stream:
      return {.buffers = buffers,
              .kind = StreamKind::blocking,
              .stream_per_engine = true,
              .stamp_in_default_stream = true};
    case Variant::per_buffer:
      return {.buffers = buffers};
    case Variant::overlapped:
      break;
  }
  return {.buffers = buffers, .stream_per_engine = true};
}

Memory memory_needed(const Options& options) {
  const std::size_t tile = static_cast<std::size_t>(options.tile_mib) << 20;
  // The host has an input array and an output array. measure_copies() needs `calibration_tiles`.
  const auto tiles = static_cast<std::size_t>(options.tiles) + calibration_tiles;
  const auto buffers = static_cast<std::size_t>(options.buffers) + calibration_tiles;
  return {2 * tiles * tile + memory_of_cuda, buffers * tile + memory_of_cuda};
}

std::optional<double> parse_kernel_us(std::string_view text) {
  if (text == "auto") return std::nullopt;
  double us = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, us);
  if (error == std::errc{} && stop == end) return us;
  throw UsageError("--kernel-us must be 'auto' or a number of microseconds, not '" +
                   std::string(text) + "'");
}

void validate(const Options& options) {
  require_range("--tiles", options.tiles, 1, 4096);
  require_range("--buffers", options.buffers, 1, 128);
  require_range("--tile-mib", options.tile_mib, 1, 1024);
  require_range("--kernel-us", options.kernel_us.value_or(min_kernel_us), min_kernel_us,
                max_kernel_us);
  require_range("--repeats", options.repeats, 1, 1000);
}

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  std::string variant(variant_name(options.variant));
  std::string kernel_us = "300";

  CLI::App app(
      "Copies tiles to the GPU, computes on them and copies them back, in several streams.",
      "stream_pipeline");
  app.add_option("--variant", variant,
                 "serial, default-stream, overlapped or stream-per-buffer, see below")
      ->capture_default_str();
  app.add_option("--tiles", options.tiles, "Number of tiles")->capture_default_str();
  app.add_option("--buffers", options.buffers,
                 "Tiles on the GPU at a time; the serial variant has one")
      ->capture_default_str();
  app.add_option("--tile-mib", options.tile_mib, "Size of a tile in MiB; the host holds two copies")
      ->capture_default_str();
  app.add_option("--kernel-us", kernel_us,
                 "Length of the kernel of a tile in us; auto: as long as the copy of a tile")
      ->capture_default_str();
  app.add_option("--repeats", options.repeats,
                 "Runs of the pipeline. Record one: the checks between runs are idle time")
      ->capture_default_str();
  app.add_flag("--engine-bound", options.engine_bound,
               "Afterwards, time the copies in both directions and the kernel: the pace of the "
               "pipeline as a multiple of the busiest engine's");
  app.footer(footer);

  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  options.variant = parse_variant(variant);
  options.kernel_us = parse_kernel_us(kernel_us);
  validate(options);
  return options;
}

}  // namespace lapscope::workloads
