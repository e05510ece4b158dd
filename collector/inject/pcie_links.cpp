#include "collector/inject/pcie_links.h"

#include <charconv>
#include <fstream>
#include <optional>
#include <string>

namespace lapscope::inject {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Returns the value of the line "GPU UUID: \t GPU-3f2a..."; empty if there is no such line.
std::string uuid_in(const fs::path& information) {
  std::ifstream file(information);
  constexpr std::string_view key = "GPU UUID:";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t value = line.find_first_not_of(" \t", key.size());
    return value == std::string::npos ? "" : line.substr(value);
  }
  return "";
}

struct LaneRate {
  std::int64_t megatransfers;  // per second
  std::int64_t generation;
  double bits_per_second;  // the rate of data, without the overhead of the encoding
};

// Returns the data rate of one lane. `speed` is the speed of the link as Linux writes it, such as
// "32.0 GT/s PCIe". Returns nothing for a speed that PCI Express does not have.
std::optional<LaneRate> lane_rate(const std::string& speed) {
  constexpr double giga = 1e9;
  constexpr double short_code = 8.0 / 10;    // 8b/10b
  constexpr double long_code = 128.0 / 130;  // 128b/130b
  constexpr double flit = 236.0 / 256;       // bytes of packets in a flit
  const LaneRate rates[] = {
      {2'500, 1, 2.5 * giga * short_code}, {5'000, 2, 5 * giga * short_code},
      {8'000, 3, 8 * giga * long_code},    {16'000, 4, 16 * giga * long_code},
      {32'000, 5, 32 * giga * long_code},  {64'000, 6, 64 * giga * flit},
  };
  double gigatransfers = 0;
  const auto [end, error] =
      std::from_chars(speed.data(), speed.data() + speed.size(), gigatransfers);
  if (error != std::errc() || end == speed.data()) return std::nullopt;
  for (const LaneRate& rate : rates) {
    if (gigatransfers * 1000 == static_cast<double>(rate.megatransfers)) return rate;
  }
  return std::nullopt;
}

std::int64_t lanes_in(const std::string& width) {
  std::int64_t lanes = 0;
  std::from_chars(width.data(), width.data() + width.size(), lanes);
  constexpr std::int64_t most = 32;
  return 0 < lanes && lanes <= most ? lanes : 0;
}

}  // namespace

std::vector<schema::LinkRow> pcie_links(const fs::path& root) {
  std::vector<schema::LinkRow> links;
  std::error_code error;
  const fs::path gpus = root / "proc/driver/nvidia/gpus";
  for (fs::directory_iterator gpu(gpus, error), end; !error && gpu != end; gpu.increment(error)) {
    const fs::path device = root / "sys/bus/pci/devices" / gpu->path().filename();
    const std::string uuid = uuid_in(gpu->path() / "information");
    const auto rate = lane_rate(first_line(device / "current_link_speed"));
    const std::int64_t lanes = lanes_in(first_line(device / "current_link_width"));
    if (uuid.empty() || !rate || lanes == 0) continue;
    schema::LinkRow row;
    row.kind = "pcie";
    row.uuid = uuid;
    row.generation = rate->generation;
    row.linkRate = rate->megatransfers;
    row.lanes = lanes;
    row.bytesPerSecond =
        static_cast<std::int64_t>(rate->bits_per_second / 8 * static_cast<double>(lanes));
    links.push_back(row);
  }
  return links;
}

}  // namespace lapscope::inject
