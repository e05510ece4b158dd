#include "workloads/scan/streamed/plan.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "workloads/harness/guard.h"
#include "workloads/scan/bench/scan_options.h"

namespace lapscope::workloads::scan {
namespace {

constexpr std::array<std::pair<StreamedVariant, std::string_view>, 3> variants{{
    {StreamedVariant::one_stream, "one-stream"},
    {StreamedVariant::legacy_carry, "legacy-carry"},
    {StreamedVariant::overlapped, "overlapped"},
}};

constexpr const char* streamed_footer =
    "Variants:\n"
    "  one-stream    everything in one stream\n"
    "  legacy-carry  several streams, and the kernel that hands on the carry in the default "
    "stream\n"
    "  overlapped    several streams, and the carry in the stream of its chunk\n"
    "\n"
    "Example:\n"
    "  streamed_scan --variant legacy-carry --n 2^26\n"
    "\n"
    "Exit codes: 0 verified, 1 failed or wrong result, 2 wrong command line, 77 no GPU or "
    "too little memory.";

}  // namespace

std::string_view name_of(StreamedVariant variant) {
  for (const auto& [value, name] : variants) {
    if (value == variant) return name;
  }
  return "unknown";
}

StreamedVariant parse_streamed_variant(std::string_view name) {
  std::string valid;
  for (const auto& [value, valid_name] : variants) {
    if (valid_name == name) return value;
    valid.append(valid.empty() ? "" : ", ").append(valid_name);
  }
  throw UsageError("--variant must be one of " + valid + ", not '" + std::string(name) + "'");
}

StreamedLayout layout_of(StreamedVariant variant, int streams) {
  switch (variant) {
    case StreamedVariant::one_stream:
      return {1, StreamKind::non_blocking, false};
    case StreamedVariant::legacy_carry:
      return {streams, StreamKind::blocking, true};
    case StreamedVariant::overlapped:
      break;
  }
  return {streams, StreamKind::non_blocking, false};
}

std::optional<StreamedOptions> parse_streamed_options(int argc, char** argv) {
  StreamedOptions options;
  std::string variant(name_of(options.variant));
  std::string n = "2^27";
  CLI::App app("Scans an array in host memory that is larger than the buffers on the GPU.",
               "streamed_scan");
  app.add_option("--variant", variant, "one-stream, legacy-carry or overlapped, see below")
      ->capture_default_str();
  app.add_option("--n", n, "Elements (u32): 1000000, 2^20, 2^31+17; the host holds two arrays")
      ->capture_default_str();
  app.add_option("--streams", options.streams, "Streams, each with its buffers on the GPU")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--chunk-mib", options.chunk_mib, "Size of a chunk in MiB")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.footer(streamed_footer);
  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  options.variant = parse_streamed_variant(variant);
  options.n = parse_count("--n", n);
  if (options.n == 0) throw UsageError("--n must be at least 1");
  return options;
}

std::uint64_t StreamedOptions::chunk() const {
  return (static_cast<std::uint64_t>(chunk_mib) << 20) / sizeof(std::uint32_t);
}

std::vector<Chunk> plan_chunks(std::uint64_t n, std::uint64_t chunk, std::size_t lanes) {
  std::vector<Chunk> chunks;
  for (std::uint64_t offset = 0; offset < n; offset += chunk) {
    const std::size_t index = chunks.size();
    chunks.push_back({index, offset, std::min(chunk, n - offset), index % lanes,
                      "chunk " + std::to_string(index)});
  }
  return chunks;
}

Memory memory_for(const StreamedOptions& options) {
  const auto lanes =
      static_cast<std::uint64_t>(layout_of(options.variant, options.streams).streams);
  const std::uint64_t chunk = std::min(options.n, options.chunk());
  return {2 * options.n * sizeof(std::uint32_t) + memory_of_cuda,
          lanes * chunk * sizeof(std::uint32_t) + memory_of_cuda};
}

}  // namespace lapscope::workloads::scan
