#include "collector/inject/pcie_links.h"

#include <fstream>

#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::inject {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

// Writes the files with which the NVIDIA driver and the Linux kernel describe a GPU.
void add_gpu(const fs::path& root, const std::string& bus, const std::string& uuid,
             const std::string& speed, const std::string& width) {
  write(root / "proc/driver/nvidia/gpus" / bus / "information",
        "Model: \t\t NVIDIA H200\nIRQ:   \t\t 42\nGPU UUID: \t " + uuid +
            "\nBus Type: \t PCIe\nBus Location: \t " + bus + "\n");
  write(root / "sys/bus/pci/devices" / bus / "current_link_speed", speed + "\n");
  write(root / "sys/bus/pci/devices" / bus / "current_link_width", width + "\n");
}

TEST_CASE("a link's rate is lanes times speed without the line code") {
  const TemporaryFolder root;
  add_gpu(root.path(), "0000:1b:00.0", "GPU-1", "32.0 GT/s PCIe", "16");
  const auto links = pcie_links(root.path());
  REQUIRE(links.size() == 1);
  REQUIRE(links[0].kind == "pcie");
  REQUIRE(links[0].uuid == "GPU-1");
  REQUIRE(links[0].generation == 5);
  REQUIRE(links[0].linkRate == 32'000);
  REQUIRE(links[0].lanes == 16);
  REQUIRE(links[0].bytesPerSecond == 63'015'384'615);
}

TEST_CASE("older links code eight bits as ten") {
  const TemporaryFolder root;
  add_gpu(root.path(), "0000:01:00.0", "GPU-1", "2.5 GT/s PCIe", "16");
  REQUIRE(pcie_links(root.path()).at(0).bytesPerSecond == 4'000'000'000);
  add_gpu(root.path(), "0000:01:00.0", "GPU-1", "5.0 GT/s PCIe", "8");
  REQUIRE(pcie_links(root.path()).at(0).bytesPerSecond == 4'000'000'000);
}

TEST_CASE("a link that is not told has no row") {
  const TemporaryFolder root;
  add_gpu(root.path(), "0000:01:00.0", "GPU-1", "Unknown", "16");
  add_gpu(root.path(), "0000:02:00.0", "GPU-2", "32.0 GT/s PCIe", "0");
  add_gpu(root.path(), "0000:03:00.0", "GPU-3", "7.0 GT/s PCIe", "16");
  add_gpu(root.path(), "0000:04:00.0", "", "32.0 GT/s PCIe", "16");
  write(root.path() / "proc/driver/nvidia/gpus/0000:05:00.0/information", "GPU UUID: GPU-5\n");
  REQUIRE(pcie_links(root.path()).empty());
}

TEST_CASE("a machine without the driver has none") {
  const TemporaryFolder root;
  REQUIRE(pcie_links(root.path()).empty());
  REQUIRE(pcie_links(root / "nothing").empty());
}

}  // namespace
}  // namespace lapscope::inject
